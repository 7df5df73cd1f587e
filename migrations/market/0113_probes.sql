-- Endpoints that did not answer, or were not heard of for a week, are probed with the challenge that verified them.
-- Null: never again, unless its seller has it verified: it answered a probe with 410. Changed before each call, which is
-- what two runs agree by.
ALTER TABLE delivery_endpoints ADD COLUMN probe_at TEXT;
-- Of the first failure since it last answered a buyer or a probe.
ALTER TABLE delivery_endpoints ADD COLUMN silent_since TEXT;
-- Probes that failed since.
ALTER TABLE delivery_endpoints ADD COLUMN failed_probes INTEGER NOT NULL DEFAULT 0 CHECK (failed_probes >= 0);
-- Since when its seller's listings are left out of browsing.
ALTER TABLE delivery_endpoints ADD COLUMN unreachable_since TEXT;
-- It answers again, and its seller is still to be told.
ALTER TABLE delivery_endpoints ADD COLUMN recovered_at TEXT;
CREATE INDEX delivery_endpoints_to_probe ON delivery_endpoints (probe_at) WHERE probe_at IS NOT NULL;
CREATE INDEX delivery_endpoints_unreachable ON delivery_endpoints (seller_id) WHERE unreachable_since IS NOT NULL;
CREATE INDEX delivery_endpoints_recovered ON delivery_endpoints (recovered_at) WHERE recovered_at IS NOT NULL;

-- Those of before are probed in the course of a week, not all at once.
UPDATE delivery_endpoints
  SET probe_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || (1 + abs(random() % 604800)) || ' seconds');

-- The hours of a day (bit n is hour n in UTC) in which an endpoint answered a probe, and in which it did not.
CREATE TABLE probe_days (
  seller_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  up_hours INTEGER NOT NULL,
  down_hours INTEGER NOT NULL,
  PRIMARY KEY (seller_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX probe_days_by_day ON probe_days (day);

-- The documents of the seller's listings are written anew, some each minute.
CREATE TRIGGER delivery_endpoints_reach AFTER UPDATE OF unreachable_since ON delivery_endpoints
WHEN OLD.unreachable_since IS NOT NEW.unreachable_since BEGIN
  UPDATE indexed_reputations SET marked_to = 0 WHERE seller_id = NEW.seller_id;
END;
