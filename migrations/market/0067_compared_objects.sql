-- What moved outside is compared with the ledger as both are read, so that asking for what differs costs what differs.

-- USDC that came to the platform's account on chain or left it, in blocks that are final.
CREATE TABLE chain_transfers (
  chain_id INTEGER NOT NULL,
  account TEXT NOT NULL,
  transaction_hash TEXT NOT NULL CHECK (transaction_hash GLOB '0x*'),
  log_index INTEGER NOT NULL,
  block INTEGER NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  -- Of the token: a ten thousandth of a cent each.
  units TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (chain_id, account, block, transaction_hash, log_index)
) STRICT, WITHOUT ROWID;

-- How far they were read, and up to where the account's balance proves that none is missing.
CREATE TABLE chain_readings (
  chain_id INTEGER NOT NULL,
  account TEXT NOT NULL,
  read_block INTEGER NOT NULL,
  -- What the account should hold after it.
  read_units TEXT NOT NULL,
  checked_block INTEGER NOT NULL,
  checked_units TEXT NOT NULL,
  checked_until TEXT NOT NULL,
  PRIMARY KEY (chain_id, account),
  CONSTRAINT checked_as_far_as_read CHECK (checked_block <= read_block)
) STRICT, WITHOUT ROWID;

-- How far the ledger was compared.
CREATE TABLE ledger_comparisons (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  after_entry_id INTEGER NOT NULL,
  -- Everything from before this moment was. NULL: nothing yet.
  compared_until TEXT
) STRICT;
INSERT INTO ledger_comparisons (id, after_entry_id) VALUES (1, 0);

-- Each payment, refund, transfer, dispute, fee and bank movement: what it moved outside, and in the ledger.
CREATE TABLE compared_objects (
  rail TEXT NOT NULL CHECK (rail IN ('card', 'usdc')),
  id TEXT NOT NULL,
  currency TEXT NOT NULL,
  outside_cents INTEGER NOT NULL,
  ledger_cents INTEGER NOT NULL,
  is_outside INTEGER NOT NULL CHECK (is_outside IN (0, 1)),
  is_in_ledger INTEGER NOT NULL CHECK (is_in_ledger IN (0, 1)),
  first_at TEXT NOT NULL,
  last_at TEXT NOT NULL,
  PRIMARY KEY (rail, id, currency)
) STRICT, WITHOUT ROWID;
CREATE INDEX compared_objects_unmatched ON compared_objects (rail, id, currency) WHERE outside_cents <> ledger_cents;

-- How many there are of each month: an object is one of the months of its first and its last movement.
CREATE TABLE compared_counts (
  month TEXT NOT NULL,
  rail TEXT NOT NULL,
  kind TEXT NOT NULL,
  currency TEXT NOT NULL,
  objects INTEGER NOT NULL,
  PRIMARY KEY (month, rail, kind, currency)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER compared_objects_begun AFTER INSERT ON compared_objects BEGIN
  INSERT INTO compared_counts (month, rail, kind, currency, objects)
    SELECT month, NEW.rail, substr(NEW.id, 1, instr(NEW.id || ':', ':') - 1), NEW.currency, 1
      FROM (SELECT substr(NEW.first_at, 1, 7) AS month UNION SELECT substr(NEW.last_at, 1, 7)) WHERE true
    ON CONFLICT DO UPDATE SET objects = objects + 1;
END;
CREATE TRIGGER compared_objects_moved AFTER UPDATE OF first_at, last_at ON compared_objects
WHEN substr(OLD.first_at, 1, 7) <> substr(NEW.first_at, 1, 7) OR substr(OLD.last_at, 1, 7) <> substr(NEW.last_at, 1, 7)
BEGIN
  UPDATE compared_counts SET objects = objects - 1
    WHERE month IN (substr(OLD.first_at, 1, 7), substr(OLD.last_at, 1, 7)) AND rail = OLD.rail
      AND kind = substr(OLD.id, 1, instr(OLD.id || ':', ':') - 1) AND currency = OLD.currency;
  INSERT INTO compared_counts (month, rail, kind, currency, objects)
    SELECT month, NEW.rail, substr(NEW.id, 1, instr(NEW.id || ':', ':') - 1), NEW.currency, 1
      FROM (SELECT substr(NEW.first_at, 1, 7) AS month UNION SELECT substr(NEW.last_at, 1, 7)) WHERE true
    ON CONFLICT DO UPDATE SET objects = objects + 1;
END;

INSERT INTO compared_objects
    (rail, id, currency, outside_cents, ledger_cents, is_outside, is_in_ledger, first_at, last_at)
  SELECT 'card', id, currency, SUM(cents), 0, 1, 0, MIN(at), MAX(at) FROM (
    SELECT kind || ':' || CASE kind
        WHEN 'payment' THEN COALESCE(payment_id, object_id, entry_id)
        WHEN 'refund' THEN COALESCE(payment_id, object_id, entry_id)
        WHEN 'dispute' THEN COALESCE(object_id, entry_id)
        WHEN 'transfer' THEN COALESCE(transfer_id, object_id, entry_id)
        ELSE entry_id END AS id, currency, amount_cents AS cents, created_at AS at FROM processor_entries
    UNION ALL SELECT 'fee:' || entry_id, currency, -fee_cents, created_at FROM processor_entries WHERE fee_cents <> 0
  ) GROUP BY id, currency;
