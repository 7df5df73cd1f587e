-- A signed authorisation outlives the purchase that it did not pay: until it expires, whoever has it can bring it to
-- the chain.

-- When a job asks the chain about a payment whose purchase ended without it; NULL: nothing can come of it any more.
ALTER TABLE usdc_payments ADD COLUMN look_at TEXT;
CREATE INDEX usdc_payments_to_look_at ON usdc_payments (look_at) WHERE look_at IS NOT NULL;

DROP TRIGGER usdc_payments_given_up;
CREATE TRIGGER usdc_payments_given_up AFTER UPDATE OF status ON purchases
WHEN OLD.status = 'authorized' AND NEW.status IN ('failed', 'refunded', 'expired') AND NEW.rail = 'x402'
  AND NOT EXISTS (SELECT 1 FROM payments WHERE purchase_id = NEW.id AND captured_cents > 0)
BEGIN
  -- Once it has expired, and its block has others upon it; those that are good for ages a day after they came.
  UPDATE usdc_payments SET is_live = 0, look_at = MIN(
      strftime('%Y-%m-%dT%H:%M:%fZ', NEW.created_at, '+1 day'),
      strftime('%Y-%m-%dT%H:%M:%fZ', CAST(CASE WHEN length(valid_before) <= 10 THEN valid_before ELSE '9999999999' END
        AS INTEGER), 'unixepoch', '+10 minutes'))
    WHERE purchase_id = NEW.id;
END;

-- One that was settled after all goes back, and its purchase ends as refunded.
DROP TRIGGER purchases_way;
CREATE TRIGGER purchases_way BEFORE UPDATE OF status ON purchases
WHEN NEW.status <> OLD.status AND NOT (
  (OLD.status = 'pending_payment' AND NEW.status IN ('authorized', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status IN ('held', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status = 'released' AND NEW.amount_cents = 0)
  OR (OLD.status = 'held' AND NEW.status IN ('releasing', 'refunded'))
  OR (OLD.status = 'releasing' AND NEW.status IN ('released', 'held'))
  OR (OLD.status IN ('failed', 'expired') AND NEW.status = 'refunded' AND NEW.rail = 'x402'))
BEGIN
  SELECT RAISE(ABORT, 'guard purchase_way');
END;
