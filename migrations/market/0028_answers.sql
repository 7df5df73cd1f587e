-- One payment buys one answer. Where the marketplace recorded a sale while its buyer was not waiting, the answer is
-- still owed (`given_at` is null). The content of a paid sale is asked for again a limited number of times.
CREATE TABLE answers (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  given_at TEXT,
  -- The signed statement of an answer that was given in place of the one that the receipt names.
  redelivery TEXT CHECK (json_valid(redelivery)),
  redeliveries INTEGER NOT NULL DEFAULT 0 CHECK (redeliveries >= 0),
  -- The UTC day, as YYYY-MM-DD, that `redeliveries_of_day` counts.
  day TEXT NOT NULL,
  redeliveries_of_day INTEGER NOT NULL DEFAULT 0 CHECK (redeliveries_of_day >= 0)
) STRICT;

-- The network, as a keyed hash, that a payment first came from.
ALTER TABLE usdc_payments ADD COLUMN network TEXT;

-- A wallet that was bound in the last 90 days is its seller's, too: what it pays is paid to oneself.
CREATE INDEX payout_challenges_used ON payout_challenges (seller_id, address) WHERE used_at IS NOT NULL;
