-- Which key made an offer, or opened a page to pay at. NULL: of before, without a key, or paid in the same request.
ALTER TABLE offers ADD COLUMN key_id TEXT;
ALTER TABLE payments ADD COLUMN key_id TEXT;
CREATE INDEX offers_of_key ON offers (key_id) WHERE status = 'open' AND key_id IS NOT NULL;
CREATE INDEX pages_of_key ON payments (key_id)
  WHERE key_id IS NOT NULL AND authorized_at IS NULL AND outcome IS NULL;

-- What nobody else is bound to yet ends with the key: its offers at once, its pages as soon as the jobs look at them.
CREATE TRIGGER agent_keys_revoked AFTER UPDATE OF revoked_at ON agent_keys
  WHEN NEW.revoked_at IS NOT NULL AND OLD.revoked_at IS NULL
BEGIN
  UPDATE offers SET status = 'declined', withdrawn = 1, decided_at = NEW.revoked_at
    WHERE key_id = NEW.id AND status = 'open';
  UPDATE payments SET due_at = NEW.revoked_at
    WHERE key_id = NEW.id AND authorized_at IS NULL AND outcome IS NULL
      AND (SELECT status FROM purchases WHERE id = purchase_id) = 'pending_payment';
END;
