-- What sellers declared to be about no single person's health: each is put before an operator.
CREATE TABLE health_declarations (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
  -- Of the history entry that shows it.
  version INTEGER NOT NULL CHECK (version >= 1),
  -- Those of the listing that the declaration was needed for. Empty where it was not needed.
  words TEXT NOT NULL CHECK (json_type(words) = 'array'),
  created_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'accepted', 'rejected')),
  reason TEXT CHECK (length(reason) BETWEEN 1 AND 500),
  reviewed_at TEXT,
  UNIQUE (listing_id, version),
  CHECK ((status = 'open') = (reason IS NULL)),
  CHECK ((status = 'open') = (reviewed_at IS NULL))
) STRICT;
CREATE INDEX health_declarations_by_age ON health_declarations (status, created_at DESC, id DESC);

-- What was declared before its words were kept.
INSERT INTO health_declarations (id, listing_id, version, words, created_at)
  SELECT lower(printf('%s-%s-4%s-8%s-%s', hex(randomblob(4)), hex(randomblob(2)), substr(hex(randomblob(2)), 2),
      substr(hex(randomblob(2)), 2), hex(randomblob(6)))),
    listing_id, version, '[]', json_extract(entry, '$.changedAt')
  FROM listing_history WHERE json_extract(entry, '$.changes.notPersonalHealth.to') = 1;

-- A listing whose declaration was rejected stays off the market until an operator accepts it.
CREATE TRIGGER listings_not_blocked BEFORE UPDATE OF status ON listings
  WHEN NEW.status <> 'inactive'
    AND EXISTS (SELECT 1 FROM health_declarations WHERE listing_id = NEW.id AND status = 'rejected')
BEGIN
  SELECT RAISE(ABORT, 'guard listing_not_blocked');
END;

-- Sellers are told of it. A CHECK is changed by making the table anew.
CREATE TABLE agent_events_set_aside AS SELECT * FROM agent_events ORDER BY rowid;
DROP TABLE agent_events;
CREATE TABLE agent_events (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('listing.activated', 'purchase.authorized', 'purchase.delivered',
    'purchase.refunded', 'sale.held', 'sale.released', 'sale.refunded', 'sale.disputed', 'sale.chargeback',
    'payout.failed', 'payout.change_requested', 'payout.change_cancelled', 'payout.changed', 'message.received',
    'inquiry.replied', 'endpoint.changed', 'endpoint.displaced', 'endpoint.host_shared', 'listing.blocked',
    'listing.unblocked')),
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
