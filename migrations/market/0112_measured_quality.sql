-- What asking sellers came to, counted in the transaction that records each outcome.

-- How often one buyer had a listing asked, on the last day that it did: more than 20 times a day count for nothing.
-- `buyer` is an agent, the wallet of a payer without a key, or empty for all who cannot be told apart.
CREATE TABLE quality_buyers (
  listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
  buyer TEXT NOT NULL,
  day TEXT NOT NULL,
  attempts INTEGER NOT NULL CHECK (attempts BETWEEN 1 AND 20),
  PRIMARY KEY (listing_id, buyer)
) STRICT, WITHOUT ROWID;
CREATE INDEX quality_buyers_by_day ON quality_buyers (day);
CREATE INDEX quality_buyers_of_buyer ON quality_buyers (buyer);

CREATE TABLE quality_days (
  listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  seller_id TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  delivered INTEGER NOT NULL,
  unavailable INTEGER NOT NULL,
  timed_out INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  invalid INTEGER NOT NULL,
  declined INTEGER NOT NULL,
  schema_checked INTEGER NOT NULL,
  schema_valid INTEGER NOT NULL,
  -- {bucket: deliveries}, see quality/latency-histogram.rules.ts.
  latency TEXT NOT NULL,
  -- The hours of the day (bit n is hour n in UTC) in which the endpoint answered, and in which it did not.
  up_hours INTEGER NOT NULL,
  down_hours INTEGER NOT NULL,
  answered_at TEXT,
  silent_at TEXT,
  -- Of `attempts`, those that the listing's measure knows of.
  measured_attempts INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (listing_id, day),
  CHECK (attempts = delivered + unavailable + timed_out + failed + invalid + declined)
) STRICT, WITHOUT ROWID;
CREATE INDEX quality_days_by_day ON quality_days (day);
CREATE INDEX quality_days_of_seller ON quality_days (seller_id, day);
CREATE INDEX quality_days_to_measure ON quality_days (listing_id) WHERE measured_attempts < attempts;

-- Derived from the days of the last 30 days by a job; listings with fewer than 5 attempts have no row.
CREATE TABLE listing_measures (
  listing_id TEXT PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
  success_rate REAL,
  p95_ms INTEGER,
  -- Signed; what a listing shows of its measure is read from it.
  statement TEXT NOT NULL,
  measured_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX listing_measures_by_age ON listing_measures (measured_at);

CREATE TRIGGER listing_measures_added AFTER INSERT ON listing_measures BEGIN
  UPDATE search_outbox SET mark = mark + 1 WHERE listing_id = NEW.listing_id;
END;
CREATE TRIGGER listing_measures_changed AFTER UPDATE OF statement ON listing_measures BEGIN
  UPDATE search_outbox SET mark = mark + 1 WHERE listing_id = NEW.listing_id;
END;
CREATE TRIGGER listing_measures_removed AFTER DELETE ON listing_measures BEGIN
  UPDATE search_outbox SET mark = mark + 1 WHERE listing_id = OLD.listing_id;
END;

-- A payment on chain that a job records later: how long its seller took.
ALTER TABLE usdc_payments ADD COLUMN latency_ms INTEGER;
