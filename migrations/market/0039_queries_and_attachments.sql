-- Rows of browsing say whether a listing needs a query: the documents of all listings are written anew.
UPDATE search_outbox SET mark = mark + 1;

-- An attachment may be empty: the table is made anew for its CHECK.
CREATE TABLE inquiry_attachments_anew (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  inquiry_id TEXT NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL REFERENCES inquiry_messages (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 5),
  filename TEXT NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes BETWEEN 0 AND 4194304),
  -- Where its bytes lie.
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  UNIQUE (message_id, position)
) STRICT;
INSERT INTO inquiry_attachments_anew
  SELECT id, inquiry_id, message_id, position, filename, content_type, size_bytes, sha256 FROM inquiry_attachments;
DROP TABLE inquiry_attachments;
ALTER TABLE inquiry_attachments_anew RENAME TO inquiry_attachments;
CREATE INDEX inquiry_attachments_of_inquiry ON inquiry_attachments (inquiry_id);
CREATE INDEX inquiry_attachments_of_object ON inquiry_attachments (sha256);
