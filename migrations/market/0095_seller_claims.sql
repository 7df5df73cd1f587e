-- What a bank took of a sale after its seller was paid is withheld from what that seller is paid later.

-- Of a dispute that is lost, so much is the seller's share, and so much of it was withheld. More withheld than claimed: the
-- bank gave back what it had taken, and the seller has the difference with its next payouts.
CREATE TABLE seller_claims (
  dispute_id TEXT PRIMARY KEY REFERENCES chargebacks (dispute_id),
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  seller_id TEXT NOT NULL,
  claim_cents INTEGER NOT NULL CHECK (claim_cents >= 0),
  withheld_cents INTEGER NOT NULL DEFAULT 0 CHECK (withheld_cents >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX seller_claims_of_purchase ON seller_claims (purchase_id);
CREATE INDEX seller_claims_open ON seller_claims (seller_id) WHERE claim_cents <> withheld_cents;

-- Which payout bears which part of a claim; negative: gives it back.
CREATE TABLE withholdings (
  dispute_id TEXT NOT NULL REFERENCES seller_claims (dispute_id),
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  cents INTEGER NOT NULL CHECK (cents <> 0),
  PRIMARY KEY (dispute_id, purchase_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX withholdings_of_purchase ON withholdings (purchase_id);
-- All that is withheld of a sale that is being paid out, or was.
ALTER TABLE payments ADD COLUMN withheld_cents INTEGER NOT NULL DEFAULT 0;

-- Two payouts at once do not bear the same cent.
CREATE TRIGGER withholdings_open BEFORE INSERT ON withholdings
WHEN NOT EXISTS (SELECT 1 FROM seller_claims WHERE dispute_id = NEW.dispute_id
  AND iif(NEW.cents > 0, claim_cents - withheld_cents >= NEW.cents, claim_cents - withheld_cents <= NEW.cents))
BEGIN
  SELECT RAISE(ABORT, 'guard purchase_withholding');
END;
CREATE TRIGGER withholdings_made AFTER INSERT ON withholdings BEGIN
  UPDATE seller_claims SET withheld_cents = withheld_cents + NEW.cents WHERE dispute_id = NEW.dispute_id;
  UPDATE payments SET withheld_cents = withheld_cents + NEW.cents WHERE purchase_id = NEW.purchase_id;
END;
CREATE TRIGGER withholdings_undone AFTER DELETE ON withholdings BEGIN
  UPDATE seller_claims SET withheld_cents = withheld_cents - OLD.cents WHERE dispute_id = OLD.dispute_id;
  UPDATE payments SET withheld_cents = withheld_cents - OLD.cents WHERE purchase_id = OLD.purchase_id;
END;

-- What is withheld is no earning.
DROP TRIGGER sale_totals_moved;
CREATE TRIGGER sale_totals_moved AFTER UPDATE OF status, amount_cents, platform_fee_cents ON purchases
WHEN NEW.amount_cents > 0 OR OLD.amount_cents > 0
BEGIN
  UPDATE sale_totals SET sales = sales - 1, gross_cents = gross_cents - OLD.amount_cents,
      fee_cents = fee_cents - OLD.platform_fee_cents,
      taken_net_cents = taken_net_cents
        - COALESCE((SELECT taken_net_cents + withheld_cents FROM payments WHERE purchase_id = OLD.id), 0),
      taken_fee_cents = taken_fee_cents - COALESCE((SELECT taken_fee_cents FROM payments WHERE purchase_id = OLD.id), 0)
    WHERE seller_id = OLD.seller_id AND listing_id = OLD.listing_id AND status = OLD.status AND OLD.amount_cents > 0;
  INSERT INTO sale_totals (seller_id, listing_id, status, sales, gross_cents, fee_cents, taken_net_cents, taken_fee_cents)
    SELECT NEW.seller_id, NEW.listing_id, NEW.status, 1, NEW.amount_cents, NEW.platform_fee_cents,
      COALESCE((SELECT taken_net_cents + withheld_cents FROM payments WHERE purchase_id = NEW.id), 0),
      COALESCE((SELECT taken_fee_cents FROM payments WHERE purchase_id = NEW.id), 0)
    WHERE NEW.amount_cents > 0 AND NEW.status IN ('held', 'releasing', 'released')
    ON CONFLICT DO UPDATE SET sales = sales + 1, gross_cents = gross_cents + excluded.gross_cents,
      fee_cents = fee_cents + excluded.fee_cents, taken_net_cents = taken_net_cents + excluded.taken_net_cents,
      taken_fee_cents = taken_fee_cents + excluded.taken_fee_cents;
END;
DROP TRIGGER sale_totals_taken;
CREATE TRIGGER sale_totals_taken AFTER UPDATE OF taken_net_cents, taken_fee_cents, withheld_cents ON payments
WHEN NEW.taken_net_cents + NEW.withheld_cents <> OLD.taken_net_cents + OLD.withheld_cents
  OR NEW.taken_fee_cents <> OLD.taken_fee_cents
BEGIN
  UPDATE sale_totals SET
      taken_net_cents = taken_net_cents + NEW.taken_net_cents + NEW.withheld_cents - OLD.taken_net_cents - OLD.withheld_cents,
      taken_fee_cents = taken_fee_cents + NEW.taken_fee_cents - OLD.taken_fee_cents
    WHERE (seller_id, listing_id, status) =
      (SELECT seller_id, listing_id, status FROM purchases WHERE id = NEW.purchase_id);
END;
