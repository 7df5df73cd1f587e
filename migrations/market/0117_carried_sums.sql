-- The reconciliation reads what is open and what moved in the month that is not over; the rest is carried as sums.

-- By kind of account, at the end of the month. NULL: it ended before they were kept.
ALTER TABLE ledger_periods ADD COLUMN carried TEXT CHECK (json_type(carried) = 'object');

CREATE INDEX ledger_accounts_open ON ledger_accounts (account) WHERE balance_cents <> 0;

-- A paid purchase or top-up ('purchase:<id>', 'top_up:<id>') is in one of these: open, or carried once it is over and its
-- postings are as they should be. Whatever changes a carried one opens it again.
CREATE TABLE open_subjects (
  subject TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE carried_subjects (
  subject TEXT PRIMARY KEY,
  -- What it says that accounts hold because of it: [[account, cents], …].
  legs TEXT NOT NULL CHECK (json_type(legs) = 'array')
) STRICT, WITHOUT ROWID;
-- The sums of all legs that are carried, and of what no purchase or top-up explains.
CREATE TABLE carried_sums (
  account TEXT PRIMARY KEY,
  cents INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX carried_sums_open ON carried_sums (account) WHERE cents <> 0;

CREATE TRIGGER subjects_carried AFTER INSERT ON carried_subjects BEGIN
  DELETE FROM open_subjects WHERE subject = NEW.subject;
  INSERT INTO carried_sums (account, cents)
    SELECT value ->> 0, SUM(value ->> 1) FROM json_each(NEW.legs) WHERE value ->> 0 IS NOT NULL GROUP BY 1
    ON CONFLICT (account) DO UPDATE SET cents = cents + excluded.cents;
END;
CREATE TRIGGER subjects_opened AFTER DELETE ON carried_subjects BEGIN
  INSERT INTO open_subjects (subject) VALUES (OLD.subject) ON CONFLICT DO NOTHING;
  INSERT INTO carried_sums (account, cents)
    SELECT value ->> 0, -SUM(value ->> 1) FROM json_each(OLD.legs) WHERE value ->> 0 IS NOT NULL GROUP BY 1
    ON CONFLICT (account) DO UPDATE SET cents = cents + excluded.cents;
END;

CREATE TRIGGER subjects_of_purchases AFTER INSERT ON purchases WHEN NEW.amount_cents > 0 BEGIN
  INSERT INTO open_subjects (subject) VALUES ('purchase:' || NEW.id);
END;
CREATE TRIGGER subjects_of_changed_purchases AFTER UPDATE OF status, amount_cents, platform_fee_cents, seller_id ON purchases
WHEN NEW.amount_cents > 0 OR OLD.amount_cents > 0
BEGIN
  DELETE FROM carried_subjects WHERE subject = 'purchase:' || NEW.id;
  INSERT INTO open_subjects (subject) VALUES ('purchase:' || NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER subjects_of_deleted_purchases AFTER DELETE ON purchases BEGIN
  DELETE FROM carried_subjects WHERE subject = 'purchase:' || OLD.id;
  DELETE FROM open_subjects WHERE subject = 'purchase:' || OLD.id;
END;
CREATE TRIGGER subjects_of_payments
AFTER UPDATE OF payer_account, taken_net_cents, taken_fee_cents, withheld_cents, restorations, set_aside_at ON payments BEGIN
  DELETE FROM carried_subjects WHERE subject = 'purchase:' || NEW.purchase_id;
END;
CREATE TRIGGER subjects_of_deleted_payments AFTER DELETE ON payments BEGIN
  DELETE FROM carried_subjects WHERE subject = 'purchase:' || OLD.purchase_id;
END;
CREATE TRIGGER subjects_of_returned_transfers AFTER INSERT ON returned_transfers BEGIN
  DELETE FROM carried_subjects WHERE subject = 'purchase:' || NEW.purchase_id;
END;
CREATE TRIGGER subjects_of_top_ups AFTER INSERT ON wallet_top_ups BEGIN
  INSERT INTO open_subjects (subject) VALUES ('top_up:' || NEW.id);
END;
CREATE TRIGGER subjects_of_changed_top_ups AFTER UPDATE OF status, amount_cents, agent_id ON wallet_top_ups BEGIN
  DELETE FROM carried_subjects WHERE subject = 'top_up:' || NEW.id;
END;
CREATE TRIGGER subjects_of_deleted_top_ups AFTER DELETE ON wallet_top_ups BEGIN
  DELETE FROM carried_subjects WHERE subject = 'top_up:' || OLD.id;
  DELETE FROM open_subjects WHERE subject = 'top_up:' || OLD.id;
END;
CREATE TRIGGER subjects_of_postings AFTER INSERT ON ledger_postings BEGIN
  DELETE FROM carried_subjects
    WHERE subject IN ('purchase:' || substr(NEW.reference, 1, 36), 'top_up:' || substr(NEW.reference, 1, 36));
END;
-- Read at the processor or on chain, or posted by an operator: it explains itself.
CREATE TRIGGER platform_postings_carried AFTER INSERT ON ledger_postings
WHEN NEW.kind IN ('processor_fee', 'dispute_fee', 'gas', 'bank_payout', 'funding', 'transfer_reversal', 'adjustment')
BEGIN
  INSERT INTO carried_sums (account, cents)
    SELECT CASE WHEN value ->> 'account' GLOB 'refund_credit:*' THEN 'wallet:' || substr(value ->> 'account', 15)
        ELSE value ->> 'account' END, SUM(value ->> 'amountCents')
      FROM json_each(NEW.legs) WHERE true GROUP BY 1
    ON CONFLICT (account) DO UPDATE SET cents = cents + excluded.cents;
END;

INSERT INTO open_subjects (subject) SELECT 'purchase:' || id FROM purchases WHERE amount_cents > 0;
INSERT INTO open_subjects (subject) SELECT 'top_up:' || id FROM wallet_top_ups;
INSERT INTO carried_sums (account, cents)
  SELECT CASE WHEN account GLOB 'refund_credit:*' THEN 'wallet:' || substr(account, 15) ELSE account END, SUM(amount_cents)
  FROM ledger_postings JOIN ledger_entries ON posting_id = ledger_postings.id
  WHERE kind IN ('processor_fee', 'dispute_fee', 'gas', 'bank_payout', 'funding', 'transfer_reversal', 'adjustment')
  GROUP BY 1;
