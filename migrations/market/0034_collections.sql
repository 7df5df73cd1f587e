-- A seller may end redeliveries of a purchase (HTTP 410). While content is pushed to a callback, no request is given another
-- answer in its place.
ALTER TABLE answers ADD COLUMN ended_at TEXT;
ALTER TABLE answers ADD COLUMN push_until TEXT;

-- When collecting what is paid for failed in a way that may pass: a JSON array of times.
ALTER TABLE payments ADD COLUMN failed_collections TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(failed_collections));

-- Agents whose callback broke the connection while content was pushed to it: until then none is.
CREATE TABLE content_push_pauses (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  paused_until TEXT NOT NULL
) STRICT;
