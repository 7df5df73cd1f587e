-- What of a top-up goes back to its card while its account is erased. The money leaves the wallet when the row is made, so
-- that it is never both refunded and spendable.
CREATE TABLE top_up_refunds (
  top_up_id TEXT NOT NULL REFERENCES wallet_top_ups (id),
  -- A refund that follows one that failed is another one.
  number INTEGER NOT NULL CHECK (number >= 1),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  -- decided: the processor may not have been asked yet. sent: it took it on. made: its bank confirmed it.
  status TEXT NOT NULL CHECK (status IN ('decided', 'sent', 'made', 'failed')),
  created_at TEXT NOT NULL,
  -- When the jobs ask about it next, while it is under way.
  check_at TEXT NOT NULL,
  PRIMARY KEY (top_up_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX top_up_refunds_under_way ON top_up_refunds (top_up_id) WHERE status IN ('decided', 'sent');
CREATE INDEX top_up_refunds_due ON top_up_refunds (check_at) WHERE status IN ('decided', 'sent');
CREATE INDEX wallet_top_ups_paid ON wallet_top_ups (agent_id, created_at) WHERE status = 'paid';

-- What cannot go back to a card and is given up, as its owner was told. NULL: whatever is there.
ALTER TABLE erasures ADD COLUMN gives_up_cents INTEGER CHECK (gives_up_cents >= 0);
-- How often something kept it from being carried out.
ALTER TABLE erasures ADD COLUMN postponements INTEGER NOT NULL DEFAULT 0 CHECK (postponements >= 0);
