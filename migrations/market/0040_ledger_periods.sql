-- The ledger by months. An entry belongs to the month in which it was recorded; once a month ended, its last entry is fixed,
-- so that what was stated for it cannot change.
CREATE TABLE ledger_periods (
  month TEXT PRIMARY KEY CHECK (length(month) = 7 AND month GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]'),
  -- Entries up to this one belong to this month or to an earlier one. 0: there were none.
  last_entry_id INTEGER NOT NULL CHECK (last_entry_id >= 0),
  ended_at TEXT NOT NULL,
  -- Once an operator closed it, with the balances at its end.
  closed_at TEXT,
  closing_note TEXT CHECK (length(closing_note) BETWEEN 1 AND 1000),
  balances TEXT CHECK (json_type(balances) = 'object'),
  CHECK ((closed_at IS NULL) = (balances IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_periods_fixed BEFORE UPDATE ON ledger_periods
  WHEN OLD.closed_at IS NOT NULL OR NEW.month <> OLD.month OR NEW.last_entry_id <> OLD.last_entry_id
BEGIN
  SELECT RAISE(ABORT, 'guard ledger_periods_fixed');
END;
CREATE TRIGGER ledger_periods_kept BEFORE DELETE ON ledger_periods BEGIN
  SELECT RAISE(ABORT, 'guard ledger_periods_fixed');
END;

-- A free purchase is delivered as it is recorded. Anybody may name any address with it: each gets three such mails a day.
CREATE INDEX mail_outbox_by_recipient ON mail_outbox (lower(recipient), created_at) WHERE purpose = 'purchase_receipt';
CREATE TRIGGER purchases_free_receipt_mailed AFTER INSERT ON purchases
  WHEN NEW.delivered_at IS NOT NULL AND NEW.email IS NOT NULL AND length(NEW.email) BETWEEN 3 AND 254
    AND (SELECT COUNT(*) FROM mail_outbox WHERE purpose = 'purchase_receipt' AND lower(recipient) = lower(NEW.email)
      AND created_at > strftime('%Y-%m-%dT%H:%M:%fZ', NEW.delivered_at, '-1 day')) < 3
BEGIN
  INSERT INTO mail_outbox (purpose, reference, recipient, created_at)
    VALUES ('purchase_receipt', NEW.id, NEW.email, NEW.delivered_at) ON CONFLICT DO NOTHING;
END;
