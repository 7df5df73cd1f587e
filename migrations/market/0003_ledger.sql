-- Double entry. A posting is one logical movement of money; its legs are {account, amountCents} and sum to zero.
CREATE TABLE ledger_postings (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('top_up', 'reserve', 'release_reserve', 'capture', 'refund', 'payout')),
  -- What it is about: the id of a top-up or a purchase. One posting of a kind for each.
  reference TEXT NOT NULL,
  legs TEXT NOT NULL CHECK (json_type(legs) = 'array'),
  created_at TEXT NOT NULL,
  UNIQUE (kind, reference)
) STRICT;

CREATE TABLE ledger_accounts (
  account TEXT PRIMARY KEY,
  balance_cents INTEGER NOT NULL,
  CONSTRAINT wallet_not_overdrawn CHECK (account NOT GLOB 'wallet:*' OR balance_cents >= 0),
  CONSTRAINT wallet_within_cap CHECK (account NOT GLOB 'wallet:*' OR balance_cents <= 50000),
  CONSTRAINT reserved_not_overdrawn CHECK (account NOT GLOB 'reserved:*' OR balance_cents >= 0),
  CONSTRAINT escrow_not_overdrawn CHECK (account NOT GLOB 'escrow:*' OR balance_cents >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_entries (
  id INTEGER PRIMARY KEY,
  posting_id TEXT NOT NULL REFERENCES ledger_postings (id),
  account TEXT NOT NULL REFERENCES ledger_accounts (account),
  amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0),
  -- Of the account after this entry, for statements.
  balance_cents INTEGER NOT NULL,
  UNIQUE (posting_id, account)
) STRICT;
CREATE INDEX ledger_entries_of_account ON ledger_entries (account, id);

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

-- What was written stays: corrections are postings of their own.
CREATE TRIGGER ledger_postings_fixed BEFORE UPDATE ON ledger_postings BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
CREATE TRIGGER ledger_postings_kept BEFORE DELETE ON ledger_postings BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
CREATE TRIGGER ledger_entries_fixed BEFORE UPDATE ON ledger_entries BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
CREATE TRIGGER ledger_entries_kept BEFORE DELETE ON ledger_entries BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
