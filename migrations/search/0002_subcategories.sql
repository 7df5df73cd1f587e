-- Specialised listings are also looked for by subcategory: within a vertical, in the orders of that search.
ALTER TABLE documents ADD COLUMN subcategory TEXT;

CREATE INDEX documents_subcategory_recent ON documents (vertical_slug, subcategory, created_at DESC, listing_id)
  WHERE subcategory IS NOT NULL;
CREATE INDEX documents_subcategory_popular
  ON documents (vertical_slug, subcategory, popularity DESC, created_at DESC, listing_id) WHERE subcategory IS NOT NULL;
CREATE INDEX documents_subcategory_price
  ON documents (vertical_slug, subcategory, price_cents, created_at DESC, listing_id) WHERE subcategory IS NOT NULL;
CREATE INDEX documents_subcategory_price_desc
  ON documents (vertical_slug, subcategory, price_cents DESC, created_at DESC, listing_id) WHERE subcategory IS NOT NULL;

-- How many there are of each, so that an exact total does not cost a scan.
CREATE TABLE subcategory_facets (
  vertical_slug TEXT NOT NULL,
  subcategory TEXT NOT NULL,
  is_sample INTEGER NOT NULL,
  documents INTEGER NOT NULL CHECK (documents >= 0),
  PRIMARY KEY (vertical_slug, subcategory, is_sample)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER documents_subcategory_inserted AFTER INSERT ON documents WHEN NEW.subcategory IS NOT NULL BEGIN
  INSERT INTO subcategory_facets VALUES (NEW.vertical_slug, NEW.subcategory, NEW.is_sample, 1)
    ON CONFLICT DO UPDATE SET documents = documents + 1;
END;
CREATE TRIGGER documents_subcategory_deleted AFTER DELETE ON documents WHEN OLD.subcategory IS NOT NULL BEGIN
  UPDATE subcategory_facets SET documents = documents - 1 WHERE vertical_slug = OLD.vertical_slug
    AND subcategory = OLD.subcategory AND is_sample = OLD.is_sample;
END;
CREATE TRIGGER documents_subcategory_changed AFTER UPDATE OF vertical_slug, subcategory, is_sample ON documents
WHEN OLD.vertical_slug <> NEW.vertical_slug OR OLD.subcategory IS NOT NEW.subcategory OR OLD.is_sample <> NEW.is_sample
BEGIN
  UPDATE subcategory_facets SET documents = documents - 1 WHERE vertical_slug = OLD.vertical_slug
    AND subcategory = OLD.subcategory AND is_sample = OLD.is_sample;
  INSERT INTO subcategory_facets
    SELECT NEW.vertical_slug, NEW.subcategory, NEW.is_sample, 1 WHERE NEW.subcategory IS NOT NULL
    ON CONFLICT DO UPDATE SET documents = documents + 1;
END;
