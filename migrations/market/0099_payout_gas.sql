-- Whether a seller bears the gas of its small payouts rather than have them wait.
ALTER TABLE payout_wallets ADD COLUMN bears_gas INTEGER NOT NULL DEFAULT 0 CHECK (bears_gas IN (0, 1));
-- What of a payout its seller bears as gas: it is fixed when the payout begins, and is not sent.
ALTER TABLE payout_batches ADD COLUMN gas_cents INTEGER NOT NULL DEFAULT 0 CHECK (gas_cents >= 0);
