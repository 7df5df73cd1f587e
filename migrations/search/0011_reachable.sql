-- Listings whose seller's endpoint answers no probe are left out of browsing, unless they are asked for.
ALTER TABLE documents ADD COLUMN is_reachable INTEGER NOT NULL DEFAULT 1 CHECK (is_reachable IN (0, 1));
CREATE INDEX documents_unreachable ON documents (created_at DESC, listing_id) WHERE is_reachable = 0;

-- The counters are of those that are reachable: default totals stay sums over a few hundred rows.
DROP TRIGGER documents_inserted;
CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN
  INSERT INTO documents_text (rowid, title, description) VALUES (NEW.rowid, NEW.title, NEW.description);
  INSERT INTO facets
    VALUES (NEW.vertical_slug, NEW.category_slug, NEW.listing_type, NEW.is_sample, NEW.is_free, NEW.is_reachable)
    ON CONFLICT DO UPDATE SET documents = documents + NEW.is_reachable;
END;
DROP TRIGGER documents_deleted;
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
  INSERT INTO documents_text (documents_text, rowid, title, description)
    VALUES ('delete', OLD.rowid, OLD.title, OLD.description);
  UPDATE facets SET documents = documents - OLD.is_reachable WHERE vertical_slug = OLD.vertical_slug
    AND category_slug = OLD.category_slug AND listing_type = OLD.listing_type
    AND is_sample = OLD.is_sample AND is_free = OLD.is_free;
END;
DROP TRIGGER documents_refiled;
CREATE TRIGGER documents_refiled
AFTER UPDATE OF vertical_slug, category_slug, listing_type, is_sample, is_free, is_reachable ON documents
WHEN OLD.vertical_slug <> NEW.vertical_slug OR OLD.category_slug <> NEW.category_slug
  OR OLD.listing_type <> NEW.listing_type OR OLD.is_sample <> NEW.is_sample OR OLD.is_free <> NEW.is_free
  OR OLD.is_reachable <> NEW.is_reachable BEGIN
  UPDATE facets SET documents = documents - OLD.is_reachable WHERE vertical_slug = OLD.vertical_slug
    AND category_slug = OLD.category_slug AND listing_type = OLD.listing_type
    AND is_sample = OLD.is_sample AND is_free = OLD.is_free;
  INSERT INTO facets
    VALUES (NEW.vertical_slug, NEW.category_slug, NEW.listing_type, NEW.is_sample, NEW.is_free, NEW.is_reachable)
    ON CONFLICT DO UPDATE SET documents = documents + NEW.is_reachable;
END;

DROP TRIGGER documents_subcategory_inserted;
CREATE TRIGGER documents_subcategory_inserted AFTER INSERT ON documents WHEN NEW.subcategory IS NOT NULL BEGIN
  INSERT INTO subcategory_facets VALUES (NEW.vertical_slug, NEW.subcategory, NEW.is_sample, NEW.is_reachable)
    ON CONFLICT DO UPDATE SET documents = documents + NEW.is_reachable;
END;
DROP TRIGGER documents_subcategory_deleted;
CREATE TRIGGER documents_subcategory_deleted AFTER DELETE ON documents WHEN OLD.subcategory IS NOT NULL BEGIN
  UPDATE subcategory_facets SET documents = documents - OLD.is_reachable WHERE vertical_slug = OLD.vertical_slug
    AND subcategory = OLD.subcategory AND is_sample = OLD.is_sample;
END;
DROP TRIGGER documents_subcategory_changed;
CREATE TRIGGER documents_subcategory_changed
AFTER UPDATE OF vertical_slug, subcategory, is_sample, is_reachable ON documents
WHEN OLD.vertical_slug <> NEW.vertical_slug OR OLD.subcategory IS NOT NEW.subcategory OR OLD.is_sample <> NEW.is_sample
  OR OLD.is_reachable <> NEW.is_reachable
BEGIN
  UPDATE subcategory_facets SET documents = documents - OLD.is_reachable WHERE vertical_slug = OLD.vertical_slug
    AND subcategory = OLD.subcategory AND is_sample = OLD.is_sample;
  INSERT INTO subcategory_facets
    SELECT NEW.vertical_slug, NEW.subcategory, NEW.is_sample, NEW.is_reachable WHERE NEW.subcategory IS NOT NULL
    ON CONFLICT DO UPDATE SET documents = documents + NEW.is_reachable;
END;
