-- A rating has an id of its own, so that it can be reported without telling whose purchase it is of. One that an operator
-- removed is kept, and does not count.
ALTER TABLE ratings ADD COLUMN id TEXT CHECK (length(id) = 36);
ALTER TABLE ratings ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1));
ALTER TABLE ratings ADD COLUMN counts INTEGER GENERATED ALWAYS AS (is_refunded = 0 AND is_removed = 0) VIRTUAL;
UPDATE ratings SET id = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
  substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));
CREATE UNIQUE INDEX ratings_by_id ON ratings (id);
-- While a Worker runs that does not know the column.
CREATE TRIGGER ratings_without_id AFTER INSERT ON ratings WHEN NEW.id IS NULL BEGIN
  UPDATE ratings SET id = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
    substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))) WHERE purchase_id = NEW.purchase_id;
END;

DROP TRIGGER ratings_changed;
CREATE TRIGGER ratings_changed AFTER UPDATE OF rating, is_refunded, is_removed ON ratings
WHEN NEW.rating <> OLD.rating OR NEW.counts <> OLD.counts
BEGIN
  UPDATE listings SET rating_count = rating_count + NEW.counts - OLD.counts,
      rating_sum = rating_sum + NEW.rating * NEW.counts - OLD.rating * OLD.counts
    WHERE id = NEW.listing_id;
  UPDATE sellers SET rating_count = rating_count + NEW.counts - OLD.counts,
      rating_sum = rating_sum + NEW.rating * NEW.counts - OLD.rating * OLD.counts
    WHERE agent_id = NEW.seller_id;
  UPDATE seller_buyers SET ratings = ratings + NEW.counts - OLD.counts,
      stars = stars + NEW.rating * NEW.counts - OLD.rating * OLD.counts
    WHERE seller_id = NEW.seller_id AND buyer = NEW.buyer_id;
  UPDATE listing_buyers SET ratings = ratings + NEW.counts - OLD.counts,
      stars = stars + NEW.rating * NEW.counts - OLD.rating * OLD.counts
    WHERE listing_id = NEW.listing_id AND buyer = NEW.buyer_id;
END;

-- Those whose attestations do not say what became of them.
DROP INDEX ratings_to_attest;
CREATE INDEX ratings_to_attest ON ratings (purchase_id)
  WHERE is_refunded <> (attestation ->> '$.statement.refunded' IS NOT NULL)
    OR is_removed <> (attestation ->> '$.statement.removed' IS NOT NULL);
DROP INDEX ratings_refunded;
CREATE INDEX ratings_not_counted ON ratings (listing_id) WHERE is_refunded = 1 OR is_removed = 1;
CREATE INDEX ratings_by_digest ON ratings (attestation ->> '$.statement.purchaseDigest');

-- Which rating of its listing a case is about; NULL: the listing, or the agent, itself.
ALTER TABLE moderation_cases ADD COLUMN rating_id TEXT CHECK (length(rating_id) = 36);
DROP INDEX moderation_cases_open;
CREATE UNIQUE INDEX moderation_cases_open ON moderation_cases (subject_type, subject_id, COALESCE(rating_id, ''))
  WHERE action IS NULL;
