-- Whether a sale's time in escrow is over while its seller's share is kept: its parties read such a `held` sale as `releasing`,
-- and find it by that status without reading all that is held.
ALTER TABLE purchases ADD COLUMN in_reserve INTEGER NOT NULL DEFAULT 0 CHECK (in_reserve IN (0, 1));
UPDATE purchases SET in_reserve = 1
  WHERE id IN (SELECT purchase_id FROM payments WHERE reserve_until IS NOT NULL AND due_at IS reserve_until);
CREATE TRIGGER payments_in_reserve AFTER UPDATE OF due_at, reserve_until ON payments
  WHEN (NEW.reserve_until IS NOT NULL AND NEW.due_at IS NEW.reserve_until)
    <> (OLD.reserve_until IS NOT NULL AND OLD.due_at IS OLD.reserve_until)
BEGIN
  UPDATE purchases SET in_reserve = (NEW.reserve_until IS NOT NULL AND NEW.due_at IS NEW.reserve_until)
    WHERE id = NEW.purchase_id;
END;

DROP INDEX purchases_of_buyer_by_status;
CREATE INDEX purchases_of_buyer_by_status ON purchases (buyer_id, status, in_reserve, created_at, id)
  WHERE buyer_id IS NOT NULL AND created_at > '';
DROP INDEX purchases_of_seller_by_status;
CREATE INDEX purchases_of_seller_by_status ON purchases (seller_id, status, in_reserve, created_at, id)
  WHERE created_at > '';
