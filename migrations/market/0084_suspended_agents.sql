-- Suspended by an operator, under a published rule: neither buys nor sells until an operator lifts it.
ALTER TABLE agents ADD COLUMN suspended_at TEXT;
ALTER TABLE agents ADD COLUMN suspended_rule TEXT CHECK (length(suspended_rule) BETWEEN 1 AND 40);
ALTER TABLE agents ADD COLUMN suspended_reason TEXT CHECK (length(suspended_reason) BETWEEN 1 AND 500);

CREATE TRIGGER purchases_suspended BEFORE INSERT ON purchases
  WHEN NEW.buyer_id IS NOT NULL AND (SELECT suspended_at FROM agents WHERE id = NEW.buyer_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard buyer_not_limited');
END;
-- Whoever activates a listing leaves those of suspended sellers alone; this is for a suspension in the same moment.
CREATE TRIGGER listings_of_suspended BEFORE UPDATE OF status ON listings
  WHEN NEW.status = 'active' AND OLD.status <> 'active'
    AND (SELECT suspended_at FROM agents WHERE id = NEW.seller_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard seller_not_suspended');
END;
CREATE TRIGGER listings_of_suspended_new BEFORE INSERT ON listings
  WHEN (SELECT suspended_at FROM agents WHERE id = NEW.seller_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard seller_not_suspended');
END;
