-- What was paid above what the queries cost, as a tab is sold for whole cents: its payer's next tab with the seller has it.
ALTER TABLE tabs ADD COLUMN credit_micros INTEGER NOT NULL DEFAULT 0 CHECK (credit_micros >= 0);
CREATE INDEX tabs_with_credit ON tabs (payer) WHERE credit_micros > 0;
-- The fee of a tab follows what its payer paid the seller on that day.
CREATE INDEX tabs_by_day ON tabs (payer, tallied_at) WHERE tallied_at IS NOT NULL;
