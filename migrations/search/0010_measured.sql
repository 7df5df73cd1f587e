-- What was measured of a listing's deliveries, to be filtered by. Until a listing is measured anew it has neither.
ALTER TABLE documents ADD COLUMN success_rate REAL;
ALTER TABLE documents ADD COLUMN p95_ms INTEGER;
-- Few listings are measured well: a filter finds them here whatever the catalogue's size.
CREATE INDEX documents_success ON documents (success_rate) WHERE success_rate IS NOT NULL;
CREATE INDEX documents_latency ON documents (p95_ms) WHERE p95_ms IS NOT NULL;
