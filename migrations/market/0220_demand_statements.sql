-- Redeliveries and receipts of the affiliated rail are statements that somebody was shown: the log takes them as well.
CREATE TRIGGER redeliveries_inserted_logged AFTER INSERT ON answers WHEN NEW.redelivery ->> '$.digest' IS NOT NULL BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.redelivery ->> '$.statement.type',
    NEW.redelivery ->> '$.digest', NEW.redelivery ->> '$.keyId', NEW.redelivery ->> '$.signedAt');
END;
CREATE TRIGGER redeliveries_updated_logged AFTER UPDATE OF redelivery ON answers
WHEN NEW.redelivery ->> '$.digest' IS NOT NULL AND NEW.redelivery ->> '$.digest' IS NOT OLD.redelivery ->> '$.digest'
BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.redelivery ->> '$.statement.type',
    NEW.redelivery ->> '$.digest', NEW.redelivery ->> '$.keyId', NEW.redelivery ->> '$.signedAt');
END;
CREATE TRIGGER affiliated_receipts_logged AFTER INSERT ON affiliated_receipts BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at)
    VALUES ('affiliated_receipt', NEW.digest, NEW.key_id, NEW.signed_at);
END;
-- Those of before too: whoever recomputes their sums finds each in the log.
INSERT INTO log_outbox (type, digest, key_id, signed_at)
  SELECT 'affiliated_receipt', digest, key_id, signed_at FROM affiliated_receipts ORDER BY created_at, id;

-- How many leaves the log has that were published and taken off the outbox: a statement that is a leaf before this one is
-- in the database.
CREATE TABLE log_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  size INTEGER NOT NULL CHECK (size >= 0)
) STRICT;
INSERT INTO log_state (only, size) VALUES (1, 0);

-- What is signed of each row of the demand ledger. Triggers note what is to be signed, in the commit that changes the row; a
-- job signs it. A row is due while its two revisions differ.
CREATE TABLE settlements (
  number INTEGER PRIMARY KEY,
  -- Null once the records of the purchase ended.
  purchase_id TEXT UNIQUE,
  -- Signed statements: what was settled, and the newest change of its status or party.
  settlement TEXT,
  change TEXT,
  -- What a row whose records ended adds to the totals.
  figures TEXT,
  removal TEXT CHECK (removal IN ('refunded', 'ended')),
  -- When its removal was signed: the ledger lists it since then.
  removed_at TEXT,
  revision INTEGER NOT NULL DEFAULT 1,
  signed_revision INTEGER NOT NULL DEFAULT 0,
  -- From when on it is due; empty: at once.
  due_at TEXT NOT NULL DEFAULT '',
  -- Of the changes that were signed, those of the party alone, and when the next one of these may follow: each waits for a
  -- day longer than the one before, so that nobody makes the log grow by going back and forth.
  party_changes INTEGER NOT NULL DEFAULT 0 CHECK (party_changes >= 0),
  party_due_at TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX settlements_due ON settlements (due_at, number) WHERE revision <> signed_revision;
CREATE INDEX settlements_removed ON settlements (removed_at, number) WHERE removed_at IS NOT NULL;

CREATE TRIGGER settlements_logged AFTER UPDATE OF settlement ON settlements
WHEN NEW.settlement ->> '$.digest' IS NOT NULL AND NEW.settlement ->> '$.digest' IS NOT OLD.settlement ->> '$.digest'
BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.settlement ->> '$.statement.type',
    NEW.settlement ->> '$.digest', NEW.settlement ->> '$.keyId', NEW.settlement ->> '$.signedAt');
END;
CREATE TRIGGER settlement_changes_logged AFTER UPDATE OF change ON settlements
WHEN NEW.change ->> '$.digest' IS NOT NULL AND NEW.change ->> '$.digest' IS NOT OLD.change ->> '$.digest'
BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.change ->> '$.statement.type',
    NEW.change ->> '$.digest', NEW.change ->> '$.keyId', NEW.change ->> '$.signedAt');
END;

CREATE TRIGGER settlements_began AFTER INSERT ON demand_rows BEGIN
  INSERT INTO settlements (purchase_id) VALUES (NEW.purchase_id)
    ON CONFLICT (purchase_id) DO UPDATE SET removal = NULL, removed_at = NULL, revision = revision + 1, due_at = '';
END;
CREATE TRIGGER settlements_moved AFTER UPDATE OF status ON demand_rows WHEN NEW.status <> OLD.status BEGIN
  UPDATE settlements SET revision = revision + 1, due_at = '' WHERE purchase_id = NEW.purchase_id;
END;
CREATE TRIGGER settlements_reclassed AFTER UPDATE OF class ON demand_rows
WHEN NEW.class <> OLD.class AND NEW.status = OLD.status
BEGIN
  UPDATE settlements SET revision = revision + 1,
      due_at = CASE WHEN revision <> signed_revision THEN due_at ELSE party_due_at END
    WHERE purchase_id = NEW.purchase_id;
END;
CREATE TRIGGER settlements_ended AFTER DELETE ON demand_rows
WHEN EXISTS (SELECT 1 FROM ending_records WHERE kind = 'purchase' AND id = OLD.purchase_id)
BEGIN
  -- Its sums stay, and nothing else: neither whose purchase it was, nor which or when.
  UPDATE settlements SET removal = 'ended', revision = revision + 1, due_at = '', purchase_id = NULL, settlement = NULL,
      figures = json_object('amountCents', OLD.amount_cents, 'isReferenceListing', json(iif(OLD.is_reference, 'true', 'false')),
        'party', OLD.class, 'platformFeeCents', OLD.platform_fee_cents, 'rail', OLD.rail,
        'settlement', settlement ->> '$.digest', 'status', OLD.status)
    WHERE purchase_id = OLD.purchase_id;
END;
CREATE TRIGGER settlements_refunded AFTER DELETE ON demand_rows
WHEN NOT EXISTS (SELECT 1 FROM ending_records WHERE kind = 'purchase' AND id = OLD.purchase_id)
BEGIN
  -- What was never signed is in no log: nothing has to be taken back.
  DELETE FROM settlements WHERE purchase_id = OLD.purchase_id AND settlement IS NULL;
  UPDATE settlements SET removal = 'refunded', revision = revision + 1, due_at = '' WHERE purchase_id = OLD.purchase_id;
END;
-- A refunded one says that it was refunded, and nothing else any more.
CREATE TRIGGER settlements_of_refunded_ended AFTER DELETE ON purchases
WHEN EXISTS (SELECT 1 FROM ending_records WHERE kind = 'purchase' AND id = OLD.id)
BEGIN
  UPDATE settlements SET purchase_id = NULL, settlement = NULL WHERE purchase_id = OLD.id AND removal = 'refunded';
END;

-- Rows of before are signed by the same job, the oldest first: their statements say when they were signed.
INSERT INTO settlements (purchase_id) SELECT purchase_id FROM demand_rows ORDER BY created_at, purchase_id;

-- Whether rows may be called arms_length changes all of them at once, by one statement.
ALTER TABLE designation_state ADD COLUMN statement TEXT;
CREATE TRIGGER designations_logged AFTER UPDATE OF statement ON designation_state
WHEN NEW.statement ->> '$.digest' IS NOT NULL AND NEW.statement ->> '$.digest' IS NOT OLD.statement ->> '$.digest'
BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.statement ->> '$.statement.type',
    NEW.statement ->> '$.digest', NEW.statement ->> '$.keyId', NEW.statement ->> '$.signedAt');
END;
