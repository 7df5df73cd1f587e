-- What a document no longer says is taken out of the indexes of words at once, not when their segments are merged.
INSERT INTO documents_text (documents_text, rank) VALUES ('secure-delete', 1);
INSERT INTO documents_words (documents_words, rank) VALUES ('secure-delete', 1);
-- Words that were deleted before are still in the segments.
INSERT INTO documents_text (documents_text) VALUES ('rebuild');
INSERT INTO documents_words (documents_words) VALUES ('rebuild');

-- A subcategory is a seller's word, and is forgotten with the last document that is counted under it.
CREATE TRIGGER subcategory_facets_counted AFTER INSERT ON subcategory_facets WHEN NEW.documents = 0 BEGIN
  DELETE FROM subcategory_facets WHERE vertical_slug = NEW.vertical_slug AND subcategory = NEW.subcategory
    AND is_sample = NEW.is_sample;
END;
CREATE TRIGGER subcategory_facets_recounted AFTER UPDATE OF documents ON subcategory_facets WHEN NEW.documents = 0 BEGIN
  DELETE FROM subcategory_facets WHERE vertical_slug = NEW.vertical_slug AND subcategory = NEW.subcategory
    AND is_sample = NEW.is_sample;
END;
DELETE FROM subcategory_facets WHERE documents = 0;
