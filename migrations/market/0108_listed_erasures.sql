-- When an erasure was added to the list outside of the database, which a restored backup is compared with.
ALTER TABLE erasures ADD COLUMN listed_at TEXT;
CREATE INDEX erasures_unlisted ON erasures (erased_at) WHERE erased_at IS NOT NULL AND listed_at IS NULL;
