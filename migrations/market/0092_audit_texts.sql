-- The free text of the audit chain (why, and what was before and after) and the salt of its digests, in rows that can be deleted: the
-- signed statements hold salted digests only, and stay valid.
CREATE TABLE audit_texts (
  sequence INTEGER PRIMARY KEY REFERENCES operator_actions (sequence),
  salt TEXT NOT NULL CHECK (length(salt) >= 32),
  texts TEXT NOT NULL CHECK (json_type(texts) = 'object')
) STRICT;
CREATE TRIGGER audit_texts_fixed BEFORE UPDATE ON audit_texts BEGIN
  SELECT RAISE(ABORT, 'guard audit_texts_fixed');
END;

INSERT INTO audit_texts (sequence, salt, texts)
  SELECT sequence, salt, json_object('reason', reason) FROM operator_actions WHERE salt IS NOT NULL;
UPDATE operator_actions SET reason = NULL, salt = NULL WHERE salt IS NOT NULL;

-- A Worker of the version before still writes both into the entry.
CREATE TRIGGER operator_actions_texts AFTER INSERT ON operator_actions WHEN NEW.salt IS NOT NULL BEGIN
  INSERT INTO audit_texts (sequence, salt, texts) VALUES (NEW.sequence, NEW.salt, json_object('reason', NEW.reason));
  UPDATE operator_actions SET reason = NULL, salt = NULL WHERE sequence = NEW.sequence;
END;

-- What the entries are found by, from what was signed.
ALTER TABLE operator_actions ADD COLUMN operator TEXT GENERATED ALWAYS AS (json_extract(statement, '$.operator')) VIRTUAL;
ALTER TABLE operator_actions ADD COLUMN subject_type TEXT GENERATED ALWAYS AS (json_extract(statement, '$.subject.type')) VIRTUAL;
ALTER TABLE operator_actions ADD COLUMN subject_id TEXT GENERATED ALWAYS AS (json_extract(statement, '$.subject.id')) VIRTUAL;
ALTER TABLE operator_actions ADD COLUMN at TEXT GENERATED ALWAYS AS (json_extract(statement, '$.at')) VIRTUAL;
CREATE INDEX operator_actions_operator ON operator_actions (operator, sequence);
CREATE INDEX operator_actions_subject ON operator_actions (subject_type, subject_id, sequence);
CREATE INDEX operator_actions_at ON operator_actions (at, sequence);
