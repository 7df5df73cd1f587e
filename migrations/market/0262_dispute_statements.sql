-- What the parties of a dispute and the operator say about it, with files. Private to them.
CREATE TABLE dispute_statements (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  author TEXT NOT NULL CHECK (author IN ('buyer', 'seller', 'operator')),
  -- Of each author, from 1.
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 10),
  body TEXT NOT NULL CHECK (length(body) BETWEEN 1 AND 10000),
  created_at TEXT NOT NULL,
  UNIQUE (purchase_id, author, position)
) STRICT;
CREATE INDEX dispute_statements_by_age ON dispute_statements (created_at);

CREATE TABLE dispute_attachments (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  statement_id TEXT NOT NULL REFERENCES dispute_statements (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 5),
  filename TEXT NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes BETWEEN 0 AND 4194304),
  -- Where its bytes lie.
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  UNIQUE (statement_id, position)
) STRICT;
CREATE INDEX dispute_attachments_of_object ON dispute_attachments (sha256);
