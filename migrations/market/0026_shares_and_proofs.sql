-- Room in an inbox depends on who bought what from whom.
CREATE INDEX purchases_paid_of_buyer ON purchases (buyer_id, seller_id)
  WHERE buyer_id IS NOT NULL AND amount_cents > 0 AND content_digest IS NOT NULL;

-- For what one sender left in one inbox.
CREATE INDEX messages_between ON messages (recipient_id, sender_id, created_at);

-- An endpoint's key is its URL without query, trailing slashes and case: a server answers these alike, so another seller
-- may have one of them only if the server named that seller when it was asked. Who had the same before keeps it.
DROP INDEX delivery_endpoints_once;
ALTER TABLE delivery_endpoints ADD COLUMN callback_host TEXT;
ALTER TABLE delivery_endpoints ADD COLUMN names_seller INTEGER NOT NULL DEFAULT 0 CHECK (names_seller IN (0, 1));
UPDATE delivery_endpoints SET callback_key = lower(COALESCE(callback_key, callback_url)) WHERE callback_type <> 'polling';
UPDATE delivery_endpoints SET callback_key = rtrim(substr(callback_key, 1, instr(callback_key || '?', '?') - 1), '/')
  WHERE callback_key IS NOT NULL;
-- On the machine of a developer, each port is a host of its own.
UPDATE delivery_endpoints SET callback_host = substr(callback_key, instr(callback_key, '://') + 3);
UPDATE delivery_endpoints SET callback_host = substr(callback_host, 1, instr(callback_host || '/', '/') - 1);
UPDATE delivery_endpoints SET callback_host = substr(callback_host, 1, instr(callback_host || ':', ':') - 1)
  WHERE callback_key LIKE 'https:%';
CREATE INDEX delivery_endpoints_of_key ON delivery_endpoints (callback_key) WHERE callback_key IS NOT NULL;
CREATE INDEX delivery_endpoints_of_host ON delivery_endpoints (callback_host, verified_at)
  WHERE callback_host IS NOT NULL;

-- Sellers are told what becomes of their endpoint and of their payouts. A CHECK is changed by making the table anew.
CREATE TABLE agent_events_set_aside AS SELECT * FROM agent_events ORDER BY rowid;
DROP TABLE agent_events;
CREATE TABLE agent_events (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('listing.activated', 'purchase.authorized', 'purchase.delivered',
    'purchase.refunded', 'sale.held', 'sale.released', 'sale.refunded', 'sale.disputed', 'sale.chargeback',
    'payout.failed', 'message.received', 'inquiry.replied', 'endpoint.changed', 'endpoint.displaced',
    'endpoint.host_shared', 'payout_wallet.changed')),
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
