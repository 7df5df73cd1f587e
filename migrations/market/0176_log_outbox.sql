-- Signed statements that the transparency log is to take: a row in the commit of the statement, written by triggers, so that
-- no writer of a statement can forget it. A row goes once its leaf is published. Numbers of deleted rows may come again:
-- a row is deleted by its number together with what it says.
CREATE TABLE log_outbox (
  position INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  digest TEXT NOT NULL CHECK (digest LIKE 'sha256:%'),
  key_id TEXT NOT NULL,
  signed_at TEXT NOT NULL
) STRICT;

CREATE TRIGGER purchases_inserted_logged AFTER INSERT ON purchases WHEN NEW.receipt ->> '$.digest' IS NOT NULL BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.receipt ->> '$.statement.type',
    NEW.receipt ->> '$.digest', NEW.receipt ->> '$.keyId', NEW.receipt ->> '$.signedAt');
END;
CREATE TRIGGER purchases_updated_logged AFTER UPDATE OF receipt ON purchases
WHEN NEW.receipt ->> '$.digest' IS NOT NULL AND NEW.receipt ->> '$.digest' IS NOT OLD.receipt ->> '$.digest'
BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.receipt ->> '$.statement.type',
    NEW.receipt ->> '$.digest', NEW.receipt ->> '$.keyId', NEW.receipt ->> '$.signedAt');
END;

CREATE TRIGGER tab_queries_logged AFTER UPDATE OF receipt ON tab_queries
WHEN NEW.receipt ->> '$.digest' IS NOT NULL AND NEW.receipt ->> '$.digest' IS NOT OLD.receipt ->> '$.digest'
BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.receipt ->> '$.statement.type',
    NEW.receipt ->> '$.digest', NEW.receipt ->> '$.keyId', NEW.receipt ->> '$.signedAt');
END;

CREATE TRIGGER ratings_inserted_logged AFTER INSERT ON ratings WHEN NEW.attestation ->> '$.digest' IS NOT NULL BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.attestation ->> '$.statement.type',
    NEW.attestation ->> '$.digest', NEW.attestation ->> '$.keyId', NEW.attestation ->> '$.signedAt');
END;
CREATE TRIGGER ratings_updated_logged AFTER UPDATE OF attestation ON ratings
WHEN NEW.attestation ->> '$.digest' IS NOT NULL AND NEW.attestation ->> '$.digest' IS NOT OLD.attestation ->> '$.digest'
BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.attestation ->> '$.statement.type',
    NEW.attestation ->> '$.digest', NEW.attestation ->> '$.keyId', NEW.attestation ->> '$.signedAt');
END;

-- An entry is updated only where an erasure drops its texts: what was signed stays.
CREATE TRIGGER listing_history_logged AFTER INSERT ON listing_history WHEN NEW.entry ->> '$.digest' IS NOT NULL BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES ('listing_history_entry',
    NEW.entry ->> '$.digest', NEW.entry ->> '$.keyId', NEW.entry ->> '$.changedAt');
END;

CREATE TRIGGER health_consents_logged AFTER INSERT ON health_consents WHEN NEW.record ->> '$.digest' IS NOT NULL BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at) VALUES (NEW.record ->> '$.statement.type',
    NEW.record ->> '$.digest', NEW.record ->> '$.keyId', NEW.record ->> '$.signedAt');
END;

CREATE TRIGGER operator_actions_logged AFTER INSERT ON operator_actions BEGIN
  INSERT INTO log_outbox (type, digest, key_id, signed_at)
    VALUES (NEW.statement ->> '$.type', NEW.digest, NEW.key_id, NEW.statement ->> '$.at');
END;
