-- The ratings of a listing are numbered in the order in which they came. Each number is a signed statement in the log, from
-- which whoever knows the listing's first entry sees how many there were: one that was deleted afterwards leaves a gap.
CREATE TABLE rating_numbers (
  listing_id TEXT PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
  last INTEGER NOT NULL CHECK (last > 0)
) STRICT, WITHOUT ROWID;
ALTER TABLE ratings ADD COLUMN number INTEGER CHECK (number > 0);
-- A signed statement; NULL: it is signed within the minute.
ALTER TABLE ratings ADD COLUMN numbering TEXT CHECK (json_type(numbering) = 'object');

UPDATE ratings SET number = ranked.number FROM (
  SELECT purchase_id AS id, ROW_NUMBER() OVER (PARTITION BY listing_id ORDER BY created_at, purchase_id) AS number
  FROM ratings) AS ranked
  WHERE ranked.id = ratings.purchase_id;
INSERT INTO rating_numbers (listing_id, last) SELECT listing_id, COUNT(*) FROM ratings GROUP BY listing_id;
CREATE UNIQUE INDEX ratings_by_number ON ratings (listing_id, number);
CREATE INDEX ratings_to_number ON ratings (created_at) WHERE numbering IS NULL;

CREATE TRIGGER ratings_numbered AFTER INSERT ON ratings BEGIN
  INSERT INTO rating_numbers (listing_id, last) VALUES (NEW.listing_id, 1)
    ON CONFLICT (listing_id) DO UPDATE SET last = last + 1;
  UPDATE ratings SET number = (SELECT last FROM rating_numbers WHERE listing_id = NEW.listing_id)
    WHERE purchase_id = NEW.purchase_id;
END;
CREATE TRIGGER rating_numbers_logged AFTER UPDATE OF numbering ON ratings
WHEN NEW.numbering ->> '$.digest' IS NOT NULL AND NEW.numbering ->> '$.digest' IS NOT OLD.numbering ->> '$.digest'
BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.numbering ->> '$.statement.type',
    NEW.numbering ->> '$.digest', NEW.numbering ->> '$.keyId', NEW.numbering ->> '$.signedAt');
END;
