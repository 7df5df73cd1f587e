-- An authorisation is free again when its purchase ended unpaid. One that was paid on chain and paid back is
-- spent: a purchase with money in it keeps it.
DROP TRIGGER usdc_payments_given_up;
CREATE TRIGGER usdc_payments_given_up AFTER UPDATE OF status ON purchases
WHEN OLD.status = 'authorized' AND NEW.status IN ('failed', 'refunded', 'expired') AND NEW.rail = 'x402'
  AND NOT EXISTS (SELECT 1 FROM payments WHERE purchase_id = NEW.id AND captured_cents > 0)
BEGIN
  UPDATE usdc_payments SET is_live = 0 WHERE purchase_id = NEW.id;
END;
