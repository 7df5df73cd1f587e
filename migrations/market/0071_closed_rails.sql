-- Rails on which nothing can be paid for now, whoever pays: a job looks every minute, so that no request has to ask outside.
CREATE TABLE closed_rails (
  rail TEXT PRIMARY KEY CHECK (rail IN ('x402')),
  reason TEXT NOT NULL,
  since TEXT NOT NULL
) STRICT, WITHOUT ROWID;
