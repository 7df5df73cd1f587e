-- What an operator mends by hand.

-- A payment that came after its top-up was given up goes back to its payer: since when that is owed, and how often it failed.
ALTER TABLE wallet_top_ups ADD COLUMN return_owed_since TEXT;
ALTER TABLE wallet_top_ups ADD COLUMN return_failures INTEGER NOT NULL DEFAULT 0 CHECK (return_failures >= 0);
CREATE INDEX wallet_top_ups_owed ON wallet_top_ups (return_owed_since, id) WHERE return_owed_since IS NOT NULL;

-- Paid by the platform's own means in place of a transfer or a refund, with what proves it.
CREATE TABLE paid_elsewhere (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  party TEXT NOT NULL CHECK (party IN ('seller', 'buyer')),
  -- The account of the ledger that the money came from.
  paid_from TEXT NOT NULL CHECK (paid_from IN ('bank', 'usdc_clearing')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  evidence TEXT NOT NULL CHECK (json_type(evidence) = 'object'),
  paid_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
