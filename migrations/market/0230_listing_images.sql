-- The pictures that sellers name, each fetched once from where it lies, drawn anew in two sizes and kept by their digests, so
-- that no reader's browser calls a seller's server, and no seller can show another picture later.
CREATE TABLE listing_images (
  listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
  -- From 0, as in the listing.
  position INTEGER NOT NULL CHECK (position >= 0),
  url TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- Null: it is there, or is tried no more.
  next_attempt_at TEXT,
  -- Why it is not shown.
  refusal TEXT,
  small_sha256 TEXT,
  large_sha256 TEXT,
  fetched_at TEXT,
  PRIMARY KEY (listing_id, position),
  CHECK ((small_sha256 IS NULL) = (fetched_at IS NULL) AND (large_sha256 IS NULL) = (fetched_at IS NULL)),
  CHECK (fetched_at IS NULL OR (next_attempt_at IS NULL AND refusal IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX listing_images_due ON listing_images (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX listing_images_small ON listing_images (small_sha256) WHERE small_sha256 IS NOT NULL;
CREATE INDEX listing_images_large ON listing_images (large_sha256) WHERE large_sha256 IS NOT NULL;

-- As answers show them: a list of {height, large, small, width}, in the order of `images`.
ALTER TABLE listings ADD COLUMN pictures TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(pictures) AND json_array_length(pictures) <= 8);

-- What is not for sale is not fetched: nobody would see it.
CREATE TRIGGER listings_pictured_new AFTER INSERT ON listings WHEN NEW.status = 'active' AND NEW.images <> '[]' BEGIN
  INSERT INTO listing_images (listing_id, position, url, next_attempt_at)
    SELECT NEW.id, MIN(key), value, NEW.created_at FROM json_each(NEW.images) GROUP BY value ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER listings_pictured AFTER UPDATE OF status ON listings
WHEN NEW.status = 'active' AND OLD.status <> 'active' AND NEW.images <> '[]' BEGIN
  INSERT INTO listing_images (listing_id, position, url, next_attempt_at)
    SELECT NEW.id, MIN(key), value, COALESCE(NEW.last_modified, NEW.created_at) FROM json_each(NEW.images)
    GROUP BY value ON CONFLICT DO NOTHING;
END;

INSERT INTO listing_images (listing_id, position, url, next_attempt_at)
  SELECT listings.id, MIN(image.key), image.value, listings.created_at FROM listings, json_each(listings.images) AS image
  WHERE listings.status = 'active' GROUP BY listings.id, image.value;
