-- A change of where a seller is paid takes effect some hours after it was asked for, and can be cancelled until then.
-- payout_wallets and payout_accounts hold what was asked for last; a change that is not cancelled says what is paid
-- instead for all that falls due before it takes effect. Wallets and accounts of before have no change: they are paid.
CREATE TABLE payout_changes (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('wallet', 'account')),
  -- The address of the wallet, or the id of the account.
  destination TEXT NOT NULL,
  chain_id INTEGER,
  -- What is paid until then; NULL: the seller had none of this kind.
  previous TEXT,
  previous_chain_id INTEGER,
  previous_since TEXT,
  requested_by TEXT NOT NULL CHECK (requested_by IN ('key', 'claim_link')),
  requested_at TEXT NOT NULL,
  effective_at TEXT NOT NULL CHECK (effective_at >= requested_at),
  cancelled_at TEXT CHECK (cancelled_at < effective_at),
  cancelled_by TEXT CHECK (cancelled_by IN ('key', 'wallet')),
  -- Set when the seller was told that it took effect.
  announced_at TEXT CHECK (announced_at >= effective_at),
  CONSTRAINT chain_of_wallet CHECK ((kind = 'wallet') = (chain_id IS NOT NULL)),
  CONSTRAINT previous_as_a_whole CHECK ((previous IS NULL) = (previous_since IS NULL)
    AND (previous_chain_id IS NULL OR (kind = 'wallet' AND previous IS NOT NULL))),
  CONSTRAINT cancelled_as_a_whole CHECK ((cancelled_at IS NULL) = (cancelled_by IS NULL)),
  CONSTRAINT over_in_one_way CHECK (cancelled_at IS NULL OR announced_at IS NULL)
) STRICT;
CREATE INDEX payout_changes_of_seller ON payout_changes (seller_id, effective_at);
CREATE INDEX payout_changes_due ON payout_changes (effective_at) WHERE cancelled_at IS NULL AND announced_at IS NULL;

-- When the card processor first paid to it; those that it pays to now have been paid for long.
ALTER TABLE payout_accounts ADD COLUMN enabled_at TEXT;
UPDATE payout_accounts SET enabled_at = created_at WHERE payouts_enabled = 1;
-- For so long it is not paid then: a claim link was used to fill it in, or it replaces one that was paid.
ALTER TABLE payout_accounts ADD COLUMN wait_hours INTEGER NOT NULL DEFAULT 0 CHECK (wait_hours >= 0);
ALTER TABLE payout_accounts ADD COLUMN set_by TEXT NOT NULL DEFAULT 'key' CHECK (set_by IN ('key', 'claim_link'));

-- Sellers are told of each change of where they are paid. A CHECK is changed by making the table anew.
CREATE TABLE agent_events_set_aside AS SELECT * FROM agent_events ORDER BY rowid;
DROP TABLE agent_events;
CREATE TABLE agent_events (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('listing.activated', 'purchase.authorized', 'purchase.delivered',
    'purchase.refunded', 'sale.held', 'sale.released', 'sale.refunded', 'sale.disputed', 'sale.chargeback',
    'payout.failed', 'payout.change_requested', 'payout.change_cancelled', 'payout.changed', 'message.received',
    'inquiry.replied', 'endpoint.changed', 'endpoint.displaced', 'endpoint.host_shared')),
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
-- A wallet that was bound before was paid at once.
INSERT INTO agent_events
    (id, agent_id, type, data, created_at, attempts, next_attempt_at, delivered_at, given_up_at)
  SELECT id, agent_id, iif(type = 'payout_wallet.changed', 'payout.changed', type),
    iif(type = 'payout_wallet.changed', json_set(data, '$.kind', 'wallet', '$.changeId', NULL), data),
    created_at, attempts, next_attempt_at, delivered_at, given_up_at
  FROM agent_events_set_aside ORDER BY rowid;
DROP TABLE agent_events_set_aside;
CREATE INDEX agent_events_due ON agent_events (next_attempt_at, agent_id)
  WHERE delivered_at IS NULL AND given_up_at IS NULL;
-- For the agent's own record.
CREATE INDEX agent_events_of_agent ON agent_events (agent_id, delivered_at, given_up_at);
CREATE INDEX agent_events_by_age ON agent_events (created_at);
UPDATE seller_notifications SET type = 'payout.changed', data = json_set(data, '$.kind', 'wallet', '$.changeId', NULL)
  WHERE type = 'payout_wallet.changed';
