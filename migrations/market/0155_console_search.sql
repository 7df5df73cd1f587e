-- What the operator's search compares: titles and names are read from their index alone, transactions by their hash.
CREATE INDEX listings_by_title ON listings (title, id);
CREATE INDEX agents_by_name ON agents (name, display_name, id);
CREATE INDEX usdc_payments_of_transaction ON usdc_payments (transaction_hash) WHERE transaction_hash IS NOT NULL;
CREATE INDEX payout_batches_of_transaction ON payout_batches (transaction_hash) WHERE transaction_hash IS NOT NULL;
