-- A blocked listing does not come back with another space, case or invisible character, nor in another vertical: what is
-- compared is a digest of title and description without those.
ALTER TABLE listings ADD COLUMN text_digest TEXT CHECK (length(text_digest) = 71);
CREATE INDEX listings_by_text ON listings (text_digest) WHERE text_digest IS NOT NULL;

DROP TRIGGER listings_block_stands;
CREATE TRIGGER listings_block_stands BEFORE UPDATE OF status, fingerprint ON listings
  WHEN (NEW.status <> 'inactive' OR NEW.fingerprint <> OLD.fingerprint) AND (NEW.blocked_at IS NOT NULL
    OR EXISTS (SELECT 1 FROM listings WHERE seller_id = NEW.seller_id AND fingerprint = NEW.fingerprint
      AND blocked_at IS NOT NULL AND id <> NEW.id)
    OR EXISTS (SELECT 1 FROM listings AS other WHERE other.text_digest = NEW.text_digest AND other.blocked_at IS NOT NULL
      AND other.id <> NEW.id AND (other.seller_id = NEW.seller_id OR EXISTS (SELECT 1 FROM same_parties
        WHERE same_parties.holder = NEW.seller_id AND same_parties.other = other.seller_id))))
BEGIN
  SELECT RAISE(ABORT, 'guard listing_block_lifted');
END;
DROP TRIGGER listings_block_stands_for_new;
CREATE TRIGGER listings_block_stands_for_new BEFORE INSERT ON listings
  WHEN EXISTS (SELECT 1 FROM listings WHERE seller_id = NEW.seller_id AND fingerprint = NEW.fingerprint
      AND blocked_at IS NOT NULL)
    OR EXISTS (SELECT 1 FROM listings AS other WHERE other.text_digest = NEW.text_digest AND other.blocked_at IS NOT NULL
      AND (other.seller_id = NEW.seller_id OR EXISTS (SELECT 1 FROM same_parties
        WHERE same_parties.holder = NEW.seller_id AND same_parties.other = other.seller_id)))
BEGIN
  SELECT RAISE(ABORT, 'guard listing_block_lifted');
END;

-- The same text of somebody else decides nothing: it is put before operators, once. A listing that waits here is reported
-- by the marketplace.
CREATE VIEW copies_of_blocked AS
SELECT copy.id AS listing_id, copy.seller_id, blocked.id AS blocked_id, blocked.blocked_rule AS rule
FROM listings AS blocked JOIN listings AS copy ON copy.text_digest = blocked.text_digest
WHERE blocked.blocked_at IS NOT NULL AND copy.seller_id <> blocked.seller_id AND copy.blocked_at IS NULL
  AND copy.status <> 'inactive';
CREATE TRIGGER listings_copied_new AFTER INSERT ON listings WHEN NEW.text_digest IS NOT NULL BEGIN
  INSERT INTO moderation_cases (id, subject_type, subject_id, agent_id, opened_at)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
      substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), 'listing', NEW.id, NEW.seller_id, NEW.created_at
    WHERE EXISTS (SELECT 1 FROM copies_of_blocked WHERE listing_id = NEW.id) ON CONFLICT DO NOTHING;
  INSERT INTO reports (subject_type, subject_id, reporter, case_id, reason, text, created_at)
    SELECT 'listing', NEW.id, 'marketplace', moderation_cases.id, copies_of_blocked.rule, 'The same text as ' || blocked_id || ', which is blocked.',
      NEW.created_at
    FROM copies_of_blocked JOIN moderation_cases ON subject_type = 'listing' AND subject_id = NEW.id AND rating_id IS NULL
      AND action IS NULL
    WHERE listing_id = NEW.id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER listings_copied AFTER UPDATE OF text_digest, status ON listings
WHEN NEW.text_digest IS NOT NULL AND NEW.status <> 'inactive'
  AND (NEW.text_digest IS NOT OLD.text_digest OR OLD.status = 'inactive')
BEGIN
  INSERT INTO moderation_cases (id, subject_type, subject_id, agent_id, opened_at)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
      substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), 'listing', NEW.id, NEW.seller_id, NEW.last_modified
    WHERE EXISTS (SELECT 1 FROM copies_of_blocked WHERE listing_id = NEW.id) AND NOT EXISTS (SELECT 1 FROM reports
      WHERE subject_type = 'listing' AND subject_id = NEW.id AND reporter = 'marketplace') ON CONFLICT DO NOTHING;
  INSERT INTO reports (subject_type, subject_id, reporter, case_id, reason, text, created_at)
    SELECT 'listing', NEW.id, 'marketplace', moderation_cases.id, copies_of_blocked.rule, 'The same text as ' || blocked_id || ', which is blocked.',
      NEW.last_modified
    FROM copies_of_blocked JOIN moderation_cases ON subject_type = 'listing' AND subject_id = NEW.id AND rating_id IS NULL
      AND action IS NULL
    WHERE listing_id = NEW.id ON CONFLICT DO NOTHING;
END;
-- What others list already when a listing is blocked.
CREATE TRIGGER listings_copied_before AFTER UPDATE OF blocked_at ON listings
WHEN NEW.blocked_at IS NOT NULL AND OLD.blocked_at IS NULL AND NEW.text_digest IS NOT NULL
BEGIN
  INSERT INTO moderation_cases (id, subject_type, subject_id, agent_id, opened_at)
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
      substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), 'listing', listing_id, seller_id, NEW.blocked_at
    FROM copies_of_blocked WHERE blocked_id = NEW.id AND NOT EXISTS (SELECT 1 FROM reports
      WHERE subject_type = 'listing' AND subject_id = listing_id AND reporter = 'marketplace')
    LIMIT 100 ON CONFLICT DO NOTHING;
  INSERT INTO reports (subject_type, subject_id, reporter, case_id, reason, text, created_at)
    SELECT 'listing', listing_id, 'marketplace', moderation_cases.id, copies_of_blocked.rule,
      'The same text as ' || blocked_id || ', which is blocked.', NEW.blocked_at
    FROM copies_of_blocked JOIN moderation_cases ON subject_type = 'listing' AND subject_id = listing_id AND rating_id IS NULL
      AND action IS NULL
    WHERE blocked_id = NEW.id ON CONFLICT DO NOTHING;
END;

-- Reports are deleted some time after their case was decided.
CREATE INDEX reports_by_age ON reports (created_at);
