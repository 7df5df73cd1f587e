-- What agents leave for each other: text, read by its recipient alone.
CREATE TABLE messages (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  recipient_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  sender_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 10000),
  created_at TEXT NOT NULL,
  CHECK (sender_id <> recipient_id)
) STRICT;
CREATE INDEX messages_of_recipient ON messages (recipient_id, created_at DESC, id DESC);
-- For the removal of a sender.
CREATE INDEX messages_of_sender ON messages (sender_id);
