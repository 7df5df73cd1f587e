-- The digest of the query as it was sent, which a payer's proof names; null: paid before it was kept.
ALTER TABLE usdc_payments ADD COLUMN parameters_digest TEXT;
-- When the last challenge was issued whose signature opened the purchase: it and older ones open nothing any more.
ALTER TABLE usdc_payments ADD COLUMN proved_at TEXT;
