-- What operators did: a chain of signed statements. The reason is in the statement as a salted digest, so that its text can be
-- erased without breaking the chain.
CREATE TABLE operator_actions (
  sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
  previous_digest TEXT UNIQUE CHECK ((previous_digest IS NULL) = (sequence = 1)),
  digest TEXT NOT NULL UNIQUE,
  key_id TEXT NOT NULL,
  signature TEXT NOT NULL,
  statement TEXT NOT NULL CHECK (json_type(statement) = 'object'),
  reason TEXT CHECK (length(reason) BETWEEN 1 AND 1000),
  salt TEXT CHECK (salt IS NOT NULL OR reason IS NULL)
) STRICT;

-- Two at once cannot both follow the same entry: the later one is signed again.
CREATE TRIGGER operator_actions_head BEFORE INSERT ON operator_actions
  WHEN NEW.sequence <> (SELECT IFNULL(MAX(sequence), 0) + 1 FROM operator_actions)
    OR NEW.previous_digest IS NOT (SELECT digest FROM operator_actions ORDER BY sequence DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'guard operator_actions_head');
END;
CREATE TRIGGER operator_actions_fixed BEFORE UPDATE ON operator_actions
  WHEN NEW.sequence <> OLD.sequence OR NEW.previous_digest IS NOT OLD.previous_digest OR NEW.digest <> OLD.digest
    OR NEW.key_id <> OLD.key_id OR NEW.signature <> OLD.signature OR NEW.statement <> OLD.statement
    OR (NEW.reason IS NOT NULL AND NEW.reason IS NOT OLD.reason) OR (NEW.salt IS NOT NULL AND NEW.salt IS NOT OLD.salt)
BEGIN
  SELECT RAISE(ABORT, 'guard operator_actions_fixed');
END;
CREATE TRIGGER operator_actions_kept BEFORE DELETE ON operator_actions BEGIN
  SELECT RAISE(ABORT, 'guard operator_actions_fixed');
END;
