-- A copy of a limited or exclusive listing that is held for whoever paid on a page and has not collected yet. Whether it
-- lapsed the purchase says.
CREATE TABLE copy_holds (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  buyer_id TEXT,
  -- The card that paid, as the processor names it; NULL: not known.
  instrument TEXT,
  held_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX copy_holds_of_buyer ON copy_holds (buyer_id, held_until) WHERE buyer_id IS NOT NULL;
CREATE INDEX copy_holds_of_instrument ON copy_holds (instrument, held_until) WHERE instrument IS NOT NULL;

-- Buyers are told when what they paid for on a page expires. Which types there are, only the code says from here on.
CREATE TABLE agent_events_set_aside AS SELECT * FROM agent_events ORDER BY rowid;
DROP TABLE agent_events;
CREATE TABLE agent_events (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type GLOB '[a-z]*.[a-z]*'),
  data TEXT NOT NULL CHECK (json_type(data) = 'object'),
  created_at TEXT NOT NULL,
  -- Counted as a try begins, so that one that never ends cannot be repeated for ever.
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 8),
  -- Set as a try begins: until then nobody else sends it, and then it is sent again. Empty: at once.
  next_attempt_at TEXT NOT NULL DEFAULT '',
  delivered_at TEXT,
  given_up_at TEXT,
  CONSTRAINT over_in_one_way CHECK (delivered_at IS NULL OR given_up_at IS NULL)
) STRICT;
INSERT INTO agent_events
    (id, agent_id, type, data, created_at, attempts, next_attempt_at, delivered_at, given_up_at)
  SELECT id, agent_id, type, data, created_at, attempts, next_attempt_at, delivered_at, given_up_at
  FROM agent_events_set_aside ORDER BY rowid;
DROP TABLE agent_events_set_aside;
CREATE INDEX agent_events_due ON agent_events (next_attempt_at, agent_id)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;
-- For the agent's own record.
CREATE INDEX agent_events_of_agent ON agent_events (agent_id, delivered_at, given_up_at);
CREATE INDEX agent_events_by_age ON agent_events (created_at);
