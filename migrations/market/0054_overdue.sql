-- What is overdue is listed, and the operator can hold a sale; its parties are told.

-- The operator looks into a sale: its time in escrow does not end until the hold is lifted.
CREATE TABLE operator_holds (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  held_at TEXT NOT NULL,
  lifted_at TEXT
) STRICT, WITHOUT ROWID;

-- Only what is not over is in these, so that listing what is overdue costs the same however long the ledger is.
CREATE INDEX payments_in_escrow ON payments (hold_until, purchase_id) WHERE due_at IS NOT NULL AND hold_until IS NOT NULL;
CREATE INDEX payments_being_refunded ON payments (refund_requested_at, purchase_id)
  WHERE refund_requested_at IS NOT NULL AND refunded_at IS NULL;
CREATE INDEX payments_refund_failed ON payments (captured_at, purchase_id)
  WHERE failure = 'refund_failed' AND refunded_at IS NULL AND transferred_cents = 0;
CREATE INDEX payments_outcome_undone ON payments (COALESCE(authorized_at, due_at), purchase_id)
  WHERE outcome IS NOT NULL AND due_at IS NOT NULL;
CREATE INDEX payout_batches_sending ON payout_batches (created_at, id) WHERE status = 'sending';
CREATE INDEX wallet_top_ups_undecided ON wallet_top_ups (expires_at, id) WHERE status = 'open';

-- Why an agent is limited: its bank took a top-up back, or the operator decided.
ALTER TABLE agents ADD COLUMN limited_reason TEXT CHECK (limited_reason IN ('chargeback', 'operator'));
UPDATE agents SET limited_reason = 'chargeback' WHERE limited_since IS NOT NULL;
