-- Copies of this database in the object store. `cursor`: the table that is being read, and the key of its last row that was.
CREATE TABLE backups (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  state TEXT NOT NULL CHECK (state IN ('watching', 'rows', 'changes', 'ending', 'ended')),
  started_at TEXT NOT NULL,
  cursor TEXT NOT NULL CHECK (json_valid(cursor)),
  schema_digest TEXT NOT NULL,
  parts INTEGER NOT NULL DEFAULT 0 CHECK (parts >= 0),
  row_count INTEGER NOT NULL DEFAULT 0 CHECK (row_count >= 0),
  -- NULL in one that has ended: it was given up.
  finished_at TEXT
) STRICT, WITHOUT ROWID;

-- The parts of the copy that is being made.
CREATE TABLE backup_parts (
  part INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64)
) STRICT;

-- Rows that changed while it is being made: triggers write them, which are there for no longer.
CREATE TABLE backup_changes (
  position INTEGER PRIMARY KEY,
  table_name TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT;
