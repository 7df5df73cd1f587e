-- Held because its seller is suspended; lifted with the suspension, or for one sale by an operator.
ALTER TABLE operator_holds ADD COLUMN by_suspension INTEGER NOT NULL DEFAULT 0 CHECK (by_suspension IN (0, 1));

-- What a suspended seller delivered or shipped in that moment or later is held as well, and what comes back to escrow.
CREATE TRIGGER payments_of_suspended AFTER UPDATE OF hold_until ON payments
  WHEN NEW.hold_until IS NOT NULL AND NEW.hold_until IS NOT OLD.hold_until
BEGIN
  INSERT INTO operator_holds (purchase_id, held_at, by_suspension)
    SELECT purchases.id, agents.suspended_at, 1 FROM purchases JOIN agents ON agents.id = purchases.seller_id
    WHERE purchases.id = NEW.purchase_id AND purchases.amount_cents > 0 AND agents.suspended_at IS NOT NULL
    ON CONFLICT (purchase_id) DO UPDATE SET held_at = excluded.held_at, lifted_at = NULL, by_suspension = 1
      WHERE lifted_at IS NOT NULL;
END;
CREATE TRIGGER purchases_of_suspended AFTER UPDATE OF status ON purchases
  WHEN NEW.status = 'held' AND OLD.status IN ('releasing', 'refunded')
BEGIN
  INSERT INTO operator_holds (purchase_id, held_at, by_suspension)
    SELECT NEW.id, suspended_at, 1 FROM agents WHERE id = NEW.seller_id AND suspended_at IS NOT NULL
    ON CONFLICT (purchase_id) DO UPDATE SET held_at = excluded.held_at, lifted_at = NULL, by_suspension = 1
      WHERE lifted_at IS NOT NULL;
END;
