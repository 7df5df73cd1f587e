-- Blocked by an operator, under a published rule. The status is the seller's own, and inactive meanwhile; blocked_status is what it was.
ALTER TABLE listings ADD COLUMN blocked_at TEXT;
ALTER TABLE listings ADD COLUMN blocked_rule TEXT CHECK (length(blocked_rule) BETWEEN 1 AND 40);
ALTER TABLE listings ADD COLUMN blocked_reason TEXT CHECK (length(blocked_reason) BETWEEN 1 AND 500);
ALTER TABLE listings ADD COLUMN blocked_status TEXT CHECK (blocked_status IN ('pending', 'active', 'inactive'));
CREATE INDEX listings_blocked ON listings (seller_id, fingerprint) WHERE blocked_at IS NOT NULL;

-- Neither the listing nor the same content of the same seller comes back until an operator lifts the block.
CREATE TRIGGER listings_block_stands BEFORE UPDATE OF status, fingerprint ON listings
  WHEN (NEW.status <> 'inactive' OR NEW.fingerprint <> OLD.fingerprint) AND (NEW.blocked_at IS NOT NULL
    OR EXISTS (SELECT 1 FROM listings WHERE seller_id = NEW.seller_id AND fingerprint = NEW.fingerprint
      AND blocked_at IS NOT NULL AND id <> NEW.id))
BEGIN
  SELECT RAISE(ABORT, 'guard listing_block_lifted');
END;
CREATE TRIGGER listings_block_stands_for_new BEFORE INSERT ON listings
  WHEN EXISTS (SELECT 1 FROM listings WHERE seller_id = NEW.seller_id AND fingerprint = NEW.fingerprint
    AND blocked_at IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'guard listing_block_lifted');
END;
