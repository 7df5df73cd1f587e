-- What a bank took of a sale before its payout and gave back after it comes with its seller's next payouts.

-- Of what was withheld, so much the sale's own payout lacked: the bank had taken it before.
ALTER TABLE seller_claims ADD COLUMN borne_cents INTEGER NOT NULL DEFAULT 0 CHECK (borne_cents >= 0);
