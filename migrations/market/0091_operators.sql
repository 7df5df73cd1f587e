-- Who acts for the marketplace besides the holder of the deployment's secret. A row stays after its secret was revoked: the audit
-- chain names it.
CREATE TABLE operators (
  id TEXT PRIMARY KEY CHECK (id <> 'operator'),
  name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 100),
  role TEXT NOT NULL CHECK (role IN ('viewer', 'support', 'finance', 'admin')),
  secret_hash TEXT NOT NULL UNIQUE,
  secret_set_at TEXT NOT NULL,
  -- The operator who saw the secret when it was made.
  secret_set_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  revoked_at TEXT
) STRICT;
-- A name says who did something: no two have it at once.
CREATE UNIQUE INDEX operators_name ON operators (name) WHERE revoked_at IS NULL;

-- Nobody acts after they were revoked, or under a role that they no longer have, however the requests interleave. The entries before
-- roles, and those of the deployment's secret, name no row.
CREATE TRIGGER operator_actions_role BEFORE INSERT ON operator_actions
  WHEN json_extract(NEW.statement, '$.operator') <> 'operator' AND NOT EXISTS (
    SELECT 1 FROM operators
    WHERE id = json_extract(NEW.statement, '$.operator') AND revoked_at IS NULL
      AND role = json_extract(NEW.statement, '$.role'))
BEGIN
  SELECT RAISE(ABORT, 'guard operator_role');
END;
