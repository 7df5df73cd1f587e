-- Searches that found nothing, of agents that want to be told once when something is for sale that they find.
CREATE TABLE search_alerts (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  q TEXT,
  category TEXT,
  vertical TEXT,
  price TEXT NOT NULL CHECK (price IN ('all', 'paid', 'free')),
  by_mail INTEGER NOT NULL CHECK (by_mail IN (0, 1)),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- The number of the last listing that came on the market before it was looked at.
  checked INTEGER NOT NULL,
  -- What was found; null: nothing yet.
  matched_at TEXT,
  listing_ids TEXT CHECK (json_valid(listing_ids)),
  CHECK (q IS NOT NULL OR category IS NOT NULL OR vertical IS NOT NULL),
  CHECK ((matched_at IS NULL) = (listing_ids IS NULL))
) STRICT;
CREATE INDEX search_alerts_by_agent ON search_alerts (agent_id, created_at);
CREATE INDEX search_alerts_open ON search_alerts (checked) WHERE matched_at IS NULL;
CREATE INDEX search_alerts_by_end ON search_alerts (expires_at);

CREATE TRIGGER search_alerts_bounded AFTER INSERT ON search_alerts
WHEN (SELECT COUNT(*) FROM search_alerts WHERE agent_id = NEW.agent_id AND matched_at IS NULL) > 20 BEGIN
  INSERT INTO guards (name) VALUES ('too_many_alerts');
END;

-- How many listings came on the market, so that a quiet minute looks at no alert.
CREATE TABLE listing_activations (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  activations INTEGER NOT NULL CHECK (activations >= 0)
) STRICT;
INSERT INTO listing_activations (id, activations) VALUES (1, 0);
CREATE TRIGGER listings_activated_new AFTER INSERT ON listings WHEN NEW.status = 'active' BEGIN
  UPDATE listing_activations SET activations = activations + 1;
END;
-- A change of its words or price as well: it may be found by others now.
CREATE TRIGGER listings_activated AFTER UPDATE OF status, title, description, price_cents ON listings
WHEN NEW.status = 'active' AND (OLD.status <> 'active' OR OLD.title <> NEW.title OR OLD.description <> NEW.description
  OR OLD.price_cents <> NEW.price_cents) BEGIN
  UPDATE listing_activations SET activations = activations + 1;
END;
