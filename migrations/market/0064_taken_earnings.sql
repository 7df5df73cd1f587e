-- What banks took of sales that stand is no earning any more.
ALTER TABLE sale_totals ADD COLUMN taken_net_cents INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sale_totals ADD COLUMN taken_fee_cents INTEGER NOT NULL DEFAULT 0;
UPDATE sale_totals SET (taken_net_cents, taken_fee_cents) = (
  SELECT COALESCE(SUM(payments.taken_net_cents), 0), COALESCE(SUM(payments.taken_fee_cents), 0)
  FROM purchases JOIN payments ON purchase_id = id
  WHERE purchases.seller_id = sale_totals.seller_id AND purchases.listing_id = sale_totals.listing_id
    AND purchases.status = sale_totals.status);

DROP TRIGGER sale_totals_moved;
CREATE TRIGGER sale_totals_moved AFTER UPDATE OF status, amount_cents, platform_fee_cents ON purchases
WHEN NEW.amount_cents > 0 OR OLD.amount_cents > 0
BEGIN
  UPDATE sale_totals SET sales = sales - 1, gross_cents = gross_cents - OLD.amount_cents,
      fee_cents = fee_cents - OLD.platform_fee_cents,
      taken_net_cents = taken_net_cents - COALESCE((SELECT taken_net_cents FROM payments WHERE purchase_id = OLD.id), 0),
      taken_fee_cents = taken_fee_cents - COALESCE((SELECT taken_fee_cents FROM payments WHERE purchase_id = OLD.id), 0)
    WHERE seller_id = OLD.seller_id AND listing_id = OLD.listing_id AND status = OLD.status AND OLD.amount_cents > 0;
  INSERT INTO sale_totals (seller_id, listing_id, status, sales, gross_cents, fee_cents, taken_net_cents, taken_fee_cents)
    SELECT NEW.seller_id, NEW.listing_id, NEW.status, 1, NEW.amount_cents, NEW.platform_fee_cents,
      COALESCE((SELECT taken_net_cents FROM payments WHERE purchase_id = NEW.id), 0),
      COALESCE((SELECT taken_fee_cents FROM payments WHERE purchase_id = NEW.id), 0)
    WHERE NEW.amount_cents > 0 AND NEW.status IN ('held', 'releasing', 'released')
    ON CONFLICT DO UPDATE SET sales = sales + 1, gross_cents = gross_cents + excluded.gross_cents,
      fee_cents = fee_cents + excluded.fee_cents, taken_net_cents = taken_net_cents + excluded.taken_net_cents,
      taken_fee_cents = taken_fee_cents + excluded.taken_fee_cents;
END;
CREATE TRIGGER sale_totals_taken AFTER UPDATE OF taken_net_cents, taken_fee_cents ON payments
WHEN NEW.taken_net_cents <> OLD.taken_net_cents OR NEW.taken_fee_cents <> OLD.taken_fee_cents
BEGIN
  UPDATE sale_totals SET taken_net_cents = taken_net_cents + NEW.taken_net_cents - OLD.taken_net_cents,
      taken_fee_cents = taken_fee_cents + NEW.taken_fee_cents - OLD.taken_fee_cents
    WHERE (seller_id, listing_id, status) =
      (SELECT seller_id, listing_id, status FROM purchases WHERE id = NEW.purchase_id);
END;
