-- The ledger has a word for every movement of the platform's own money.

-- What moved the platform's balance at the card processor, as it was read there.
CREATE TABLE processor_entries (
  -- The processor's id.
  entry_id TEXT PRIMARY KEY CHECK (length(entry_id) BETWEEN 1 AND 255),
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute', 'transfer', 'transfer_reversal', 'payout', 'funding',
    'fee', 'other')),
  -- The processor's own word.
  type TEXT NOT NULL,
  object_id TEXT,
  payment_id TEXT,
  transfer_id TEXT,
  -- Positive: the balance grew. Without the fee.
  amount_cents INTEGER NOT NULL,
  fee_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX processor_entries_by_age ON processor_entries (created_at);

-- How far they were read.
CREATE TABLE processor_readings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Everything from before this moment was read. NULL: never yet.
  read_until TEXT,
  -- When everything of the last days was read once more.
  looked_back_at TEXT,
  -- The reading under way: from when on, when it began, and the last entry of its last page.
  since TEXT,
  began_at TEXT,
  after_entry TEXT,
  CONSTRAINT under_way_or_not CHECK ((since IS NULL) = (began_at IS NULL))
) STRICT;
INSERT INTO processor_readings (id) VALUES (1);

-- What an operator posts because nothing can be read of it.
CREATE TABLE ledger_adjustments (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  kind TEXT NOT NULL CHECK (kind IN ('adjustment', 'funding', 'bank_payout')),
  account TEXT NOT NULL,
  counter_account TEXT NOT NULL,
  amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
  reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 1000),
  -- What it is about: an item of the reconciliation, a statement, an invoice.
  reference TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 255),
  -- Who posted it, as the request says.
  operator TEXT NOT NULL CHECK (length(operator) BETWEEN 1 AND 100),
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- A statement or an invoice is booked once to each account.
CREATE UNIQUE INDEX ledger_adjustments_of_reference ON ledger_adjustments (reference, account, counter_account);
CREATE TRIGGER ledger_adjustments_fixed BEFORE UPDATE ON ledger_adjustments BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
CREATE TRIGGER ledger_adjustments_kept BEFORE DELETE ON ledger_adjustments BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;

-- A CHECK is changed by making the table anew. Entries refer to postings: that is looked at in the end, when all are back.
PRAGMA defer_foreign_keys = on;
CREATE TABLE ledger_postings_set_aside AS
  SELECT id, kind, reference, legs, created_at FROM ledger_postings ORDER BY rowid;
DROP TABLE ledger_postings;
CREATE TABLE ledger_postings (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL
    CHECK (kind IN ('top_up', 'reserve', 'release_reserve', 'capture', 'refund', 'payout', 'chargeback', 'processor_fee',
      'dispute_fee', 'gas', 'bank_payout', 'funding', 'transfer_reversal', 'adjustment')),
  -- What it is about: the id of a top-up or a purchase; of a chargeback also its own, and how often it moved money; of
  -- what the processor's balance or the chain tells, the entry or the transaction; of an operator's, its adjustment.
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
