-- The search database: derived from the market database and rebuilt from it at any time. One document is
-- one active listing as browsing shows it, so that a page of results is one round trip.
CREATE TABLE documents (
  rowid INTEGER PRIMARY KEY,
  listing_id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  vertical_slug TEXT NOT NULL,
  category_slug TEXT NOT NULL,
  listing_type TEXT NOT NULL,
  is_sample INTEGER NOT NULL CHECK (is_sample IN (0, 1)),
  is_free INTEGER NOT NULL CHECK (is_free IN (0, 1)),
  price_cents INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  popularity INTEGER NOT NULL,
  rating_avg REAL,
  quality REAL NOT NULL,
  trust REAL NOT NULL,
  -- The listing object of the contract in RFC 8785 form.
  summary TEXT NOT NULL
) STRICT;

-- One index a sort; within a category or vertical too. Samples are few, so leaving them out while walking
-- an index costs nothing.
CREATE INDEX documents_recent ON documents (created_at DESC, listing_id);
CREATE INDEX documents_popular ON documents (popularity DESC, created_at DESC, listing_id);
CREATE INDEX documents_price ON documents (price_cents, created_at DESC, listing_id);
CREATE INDEX documents_price_desc ON documents (price_cents DESC, created_at DESC, listing_id);
CREATE INDEX documents_quality ON documents (quality DESC, created_at DESC, listing_id);
CREATE INDEX documents_trust ON documents (trust DESC, created_at DESC, listing_id);
CREATE INDEX documents_category_recent ON documents (category_slug, created_at DESC, listing_id);
CREATE INDEX documents_category_popular ON documents (category_slug, popularity DESC, created_at DESC, listing_id);
CREATE INDEX documents_category_price ON documents (category_slug, price_cents, created_at DESC, listing_id);
CREATE INDEX documents_category_price_desc ON documents (category_slug, price_cents DESC, created_at DESC, listing_id);
CREATE INDEX documents_category_quality ON documents (category_slug, quality DESC, created_at DESC, listing_id);
CREATE INDEX documents_category_trust ON documents (category_slug, trust DESC, created_at DESC, listing_id);
CREATE INDEX documents_vertical_recent ON documents (vertical_slug, created_at DESC, listing_id);
CREATE INDEX documents_vertical_popular ON documents (vertical_slug, popularity DESC, created_at DESC, listing_id);
CREATE INDEX documents_vertical_price ON documents (vertical_slug, price_cents, created_at DESC, listing_id);
CREATE INDEX documents_vertical_price_desc ON documents (vertical_slug, price_cents DESC, created_at DESC, listing_id);
CREATE INDEX documents_vertical_quality ON documents (vertical_slug, quality DESC, created_at DESC, listing_id);
CREATE INDEX documents_vertical_trust ON documents (vertical_slug, trust DESC, created_at DESC, listing_id);
CREATE INDEX documents_type ON documents (listing_type, created_at DESC, listing_id);
CREATE INDEX documents_samples ON documents (created_at DESC, listing_id) WHERE is_sample = 1;
CREATE INDEX documents_rating ON documents (rating_avg) WHERE rating_avg IS NOT NULL;

-- The newest state of a listing that was indexed, also of one whose document is gone: a slow writer with an
-- older state then changes nothing.
CREATE TABLE indexed_marks (
  listing_id TEXT PRIMARY KEY,
  mark INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many documents there are of each kind, so that an exact total does not cost a scan.
CREATE TABLE facets (
  vertical_slug TEXT NOT NULL,
  category_slug TEXT NOT NULL,
  listing_type TEXT NOT NULL,
  is_sample INTEGER NOT NULL,
  is_free INTEGER NOT NULL,
  documents INTEGER NOT NULL CHECK (documents >= 0),
  PRIMARY KEY (vertical_slug, category_slug, listing_type, is_sample, is_free)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE documents_text USING fts5 (
  title, description, content = 'documents', content_rowid = 'rowid', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3'
);

CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN
  INSERT INTO documents_text (rowid, title, description) VALUES (NEW.rowid, NEW.title, NEW.description);
  INSERT INTO facets VALUES (NEW.vertical_slug, NEW.category_slug, NEW.listing_type, NEW.is_sample, NEW.is_free, 1)
    ON CONFLICT DO UPDATE SET documents = documents + 1;
END;
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
  INSERT INTO documents_text (documents_text, rowid, title, description)
    VALUES ('delete', OLD.rowid, OLD.title, OLD.description);
  UPDATE facets SET documents = documents - 1 WHERE vertical_slug = OLD.vertical_slug
    AND category_slug = OLD.category_slug AND listing_type = OLD.listing_type
    AND is_sample = OLD.is_sample AND is_free = OLD.is_free;
END;
CREATE TRIGGER documents_reworded AFTER UPDATE OF title, description ON documents
WHEN OLD.title <> NEW.title OR OLD.description <> NEW.description BEGIN
  INSERT INTO documents_text (documents_text, rowid, title, description)
    VALUES ('delete', OLD.rowid, OLD.title, OLD.description);
  INSERT INTO documents_text (rowid, title, description) VALUES (NEW.rowid, NEW.title, NEW.description);
END;
CREATE TRIGGER documents_refiled AFTER UPDATE OF vertical_slug, category_slug, listing_type, is_sample, is_free ON documents
WHEN OLD.vertical_slug <> NEW.vertical_slug OR OLD.category_slug <> NEW.category_slug
  OR OLD.listing_type <> NEW.listing_type OR OLD.is_sample <> NEW.is_sample OR OLD.is_free <> NEW.is_free BEGIN
  UPDATE facets SET documents = documents - 1 WHERE vertical_slug = OLD.vertical_slug
    AND category_slug = OLD.category_slug AND listing_type = OLD.listing_type
    AND is_sample = OLD.is_sample AND is_free = OLD.is_free;
  INSERT INTO facets VALUES (NEW.vertical_slug, NEW.category_slug, NEW.listing_type, NEW.is_sample, NEW.is_free, 1)
    ON CONFLICT DO UPDATE SET documents = documents + 1;
END;
