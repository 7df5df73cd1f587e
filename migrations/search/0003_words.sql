-- Questions find listings: words are stemmed, and tags and the words of the vertical are searched too. Until the index is
-- rebuilt (POST /admin/search-index/rebuild), documents written before have neither tags nor vertical words.
ALTER TABLE documents ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN vertical_words TEXT NOT NULL DEFAULT '';
-- The words that a misspelt one may stand for: a JSON array, lower case and without accents.
ALTER TABLE documents ADD COLUMN spellings TEXT NOT NULL DEFAULT '[]';

-- `documents_text` stays, and is kept up, for the code that was deployed before.
CREATE VIRTUAL TABLE documents_words USING fts5 (
  title, description, tags, vertical_words, content = 'documents', content_rowid = 'rowid',
  tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO documents_words (documents_words, rank) VALUES ('rank', 'bm25(8.0, 1.0, 4.0, 2.0)');
INSERT INTO documents_words (documents_words) VALUES ('rebuild');

-- The words of all documents, and the three-letter pieces of each, a space before and after it included.
CREATE TABLE spellings (word TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE spelling_trigrams (
  trigram TEXT NOT NULL,
  word TEXT NOT NULL,
  PRIMARY KEY (trigram, word)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER spellings_inserted AFTER INSERT ON spellings BEGIN
  INSERT INTO spelling_trigrams SELECT DISTINCT substr(' ' || NEW.word || ' ', value, 3), NEW.word
    FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]') WHERE value <= length(NEW.word);
END;
CREATE TRIGGER spellings_deleted AFTER DELETE ON spellings BEGIN
  DELETE FROM spelling_trigrams WHERE word = OLD.word
    AND trigram IN (SELECT substr(' ' || OLD.word || ' ', value, 3)
      FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]'));
END;

CREATE TRIGGER documents_words_inserted AFTER INSERT ON documents BEGIN
  INSERT INTO documents_words (rowid, title, description, tags, vertical_words)
    VALUES (NEW.rowid, NEW.title, NEW.description, NEW.tags, NEW.vertical_words);
  INSERT INTO spellings SELECT value FROM json_each(NEW.spellings) WHERE true ON CONFLICT DO NOTHING;
END;
-- A word that no document has any more is forgotten with the last that had it.
CREATE TRIGGER documents_words_deleted AFTER DELETE ON documents BEGIN
  INSERT INTO documents_words (documents_words, rowid, title, description, tags, vertical_words)
    VALUES ('delete', OLD.rowid, OLD.title, OLD.description, OLD.tags, OLD.vertical_words);
  DELETE FROM spellings WHERE word IN (SELECT value FROM json_each(OLD.spellings))
    AND NOT EXISTS (SELECT 1 FROM documents_words WHERE documents_words MATCH '"' || word || '"');
END;
CREATE TRIGGER documents_words_changed AFTER UPDATE OF title, description, tags, vertical_words, spellings ON documents
WHEN OLD.title <> NEW.title OR OLD.description <> NEW.description OR OLD.tags <> NEW.tags
  OR OLD.vertical_words <> NEW.vertical_words OR OLD.spellings <> NEW.spellings
BEGIN
  INSERT INTO documents_words (documents_words, rowid, title, description, tags, vertical_words)
    VALUES ('delete', OLD.rowid, OLD.title, OLD.description, OLD.tags, OLD.vertical_words);
  INSERT INTO documents_words (rowid, title, description, tags, vertical_words)
    VALUES (NEW.rowid, NEW.title, NEW.description, NEW.tags, NEW.vertical_words);
  DELETE FROM spellings WHERE word IN (SELECT value FROM json_each(OLD.spellings) EXCEPT SELECT value FROM json_each(NEW.spellings))
    AND NOT EXISTS (SELECT 1 FROM documents_words WHERE documents_words MATCH '"' || word || '"');
  INSERT INTO spellings SELECT value FROM json_each(NEW.spellings) WHERE true ON CONFLICT DO NOTHING;
END;
