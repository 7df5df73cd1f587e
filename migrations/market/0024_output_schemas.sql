-- The outputSchema that a delivery was checked against, beside its digest: the receipt may be signed later.
ALTER TABLE usdc_payments ADD COLUMN output_schema_digest TEXT;
