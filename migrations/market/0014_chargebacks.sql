-- Orders that are never shipped go back to their buyers; cardholders dispute what they paid at the card processor.

-- As it was agreed, and what follows from it once a physical order is delivered.
ALTER TABLE payments ADD COLUMN ship_days INTEGER NOT NULL DEFAULT 14 CHECK (ship_days >= 1);
ALTER TABLE payments ADD COLUMN ship_by TEXT;
-- Orders that wait already have the whole time from now on.
UPDATE payments SET ship_by = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+14 days')
  WHERE fulfilment = 'physical' AND shipped_at IS NULL AND hold_until IS NULL AND captured_at IS NOT NULL
    AND (SELECT status FROM purchases WHERE id = purchase_id) = 'held';
UPDATE payments SET due_at = ship_by
  WHERE ship_by IS NOT NULL AND due_at IS NULL AND refund_requested_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM disputes WHERE disputes.purchase_id = payments.purchase_id AND decision IS NULL);

-- What the card processor says of one dispute of a cardholder, and what was done about it here.
CREATE TABLE chargebacks (
  -- The processor's id.
  dispute_id TEXT PRIMARY KEY,
  payment_id TEXT NOT NULL,
  -- What had been paid.
  purchase_id TEXT REFERENCES purchases (id),
  top_up_id TEXT REFERENCES wallet_top_ups (id),
  -- Whose wallet was topped up.
  agent_id TEXT REFERENCES wallets (agent_id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  -- As the processor told it last.
  status TEXT NOT NULL CHECK (status IN ('open', 'won', 'lost')),
  -- Of the platform's balance, what the processor took for it and has not given back; its charge is not in it.
  withdrawn_cents INTEGER NOT NULL CHECK (withdrawn_cents >= 0),
  -- Of that, what is not the platform's loss: the sale was taken back, or the wallet had it.
  covered_cents INTEGER NOT NULL CHECK (covered_cents >= 0),
  opened_at TEXT NOT NULL,
  -- Nothing depends on it any more. Until then the clock of its sale stands still.
  settled_at TEXT,
  seller_told_at TEXT,
  -- Grows with every change: each moves money under a reference of its own, once.
  revision INTEGER NOT NULL CHECK (revision >= 1),
  -- When the processor is asked again, should its message be lost.
  look_at TEXT,
  CONSTRAINT about_one_thing CHECK ((purchase_id IS NULL) <> (top_up_id IS NULL)
    AND (top_up_id IS NULL) = (agent_id IS NULL))
) STRICT;
CREATE INDEX chargebacks_of_purchase ON chargebacks (purchase_id, opened_at) WHERE purchase_id IS NOT NULL;
-- What a wallet bears of those that may still be won comes back to it: it counts against the wallet's cap.
CREATE INDEX chargebacks_returnable ON chargebacks (agent_id, covered_cents)
  WHERE agent_id IS NOT NULL AND status <> 'lost';
CREATE INDEX chargebacks_by_age ON chargebacks (opened_at);
CREATE INDEX chargebacks_to_look_at ON chargebacks (look_at) WHERE look_at IS NOT NULL;

-- A CHECK is changed by making the table anew. Entries refer to postings: that is looked at in the end, when all are back.
PRAGMA defer_foreign_keys = on;
CREATE TABLE ledger_postings_set_aside AS
  SELECT id, kind, reference, legs, created_at FROM ledger_postings ORDER BY rowid;
DROP TABLE ledger_postings;
CREATE TABLE ledger_postings (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL
    CHECK (kind IN ('top_up', 'reserve', 'release_reserve', 'capture', 'refund', 'payout', 'chargeback')),
  -- What it is about: the id of a top-up or a purchase; of a chargeback also its own, and how often it moved money.
  -- One posting of a kind for each.
  reference TEXT NOT NULL,
  legs TEXT NOT NULL CHECK (json_type(legs) = 'array'),
  created_at TEXT NOT NULL,
  UNIQUE (kind, reference)
) STRICT;
INSERT INTO ledger_postings (id, kind, reference, legs, created_at)
  SELECT id, kind, reference, legs, created_at FROM ledger_postings_set_aside ORDER BY rowid;
DROP TABLE ledger_postings_set_aside;

CREATE TRIGGER ledger_postings_balanced BEFORE INSERT ON ledger_postings
WHEN (SELECT SUM(value ->> 'amountCents') FROM json_each(NEW.legs)) <> 0
  OR (SELECT COUNT(*) FROM json_each(NEW.legs)) < 2
BEGIN
  SELECT RAISE(ABORT, 'guard ledger_balanced');
END;
CREATE TRIGGER ledger_postings_posted AFTER INSERT ON ledger_postings BEGIN
  INSERT OR IGNORE INTO ledger_accounts (account, balance_cents)
    SELECT value ->> 'account', 0 FROM json_each(NEW.legs);
  UPDATE ledger_accounts SET balance_cents = balance_cents + leg.amount_cents
    FROM (SELECT value ->> 'account' AS account, value ->> 'amountCents' AS amount_cents FROM json_each(NEW.legs)) AS leg
    WHERE leg.account = ledger_accounts.account;
  INSERT INTO ledger_entries (posting_id, account, amount_cents, balance_cents)
    SELECT NEW.id, ledger_accounts.account, value ->> 'amountCents', ledger_accounts.balance_cents
    FROM json_each(NEW.legs) JOIN ledger_accounts ON ledger_accounts.account = value ->> 'account';
END;
CREATE TRIGGER ledger_postings_fixed BEFORE UPDATE ON ledger_postings BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
CREATE TRIGGER ledger_postings_kept BEFORE DELETE ON ledger_postings BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;

-- The same for what sellers are told of it.
CREATE TABLE agent_events_set_aside AS SELECT * FROM agent_events ORDER BY rowid;
DROP TABLE agent_events;
CREATE TABLE agent_events (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('listing.activated', 'purchase.authorized', 'purchase.delivered',
    'purchase.refunded', 'sale.held', 'sale.released', 'sale.refunded', 'sale.chargeback', 'payout.failed',
    'message.received', 'inquiry.replied')),
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
CREATE INDEX agent_events_of_agent ON agent_events (agent_id, delivered_at, given_up_at);
CREATE INDEX agent_events_by_age ON agent_events (created_at);
