-- The market database: the truth. STRICT tables; constraints are the last line of defence.

-- A statement that must have changed exactly one row is followed by
--   INSERT INTO guards (name) SELECT 'what_must_hold' WHERE changes() <> 1;
-- which aborts the whole transaction and names what did not hold.
CREATE TABLE guards (name TEXT NOT NULL) STRICT;
CREATE TRIGGER guards_abort BEFORE INSERT ON guards BEGIN
  SELECT RAISE(ABORT, 'guard ' || NEW.name);
END;

CREATE TABLE signing_keys (
  key_id TEXT PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('provenance', 'ingress')),
  public_key TEXT NOT NULL UNIQUE CHECK (length(public_key) = 43),
  valid_from TEXT NOT NULL,
  retired_at TEXT
) STRICT;

CREATE TABLE idempotency_keys (
  scope TEXT NOT NULL,
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_digest TEXT NOT NULL,
  token TEXT NOT NULL,
  outcome TEXT CHECK (outcome IS NULL OR json_valid(outcome)),
  claimed_until TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

CREATE TABLE agents (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  -- SHA-256 of the API key; the platform's own agent has none.
  api_key_hash TEXT UNIQUE CHECK (length(api_key_hash) = 64),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  email TEXT,
  display_name TEXT CHECK (length(display_name) BETWEEN 1 AND 64),
  handle TEXT NOT NULL UNIQUE,
  seller_label TEXT NOT NULL,
  buyer_label TEXT NOT NULL,
  callback_url TEXT CHECK (length(callback_url) <= 2048),
  referral_source TEXT,
  referrer TEXT,
  utm TEXT CHECK (utm IS NULL OR json_valid(utm)),
  is_platform INTEGER NOT NULL DEFAULT 0 CHECK (is_platform IN (0, 1)),
  is_smoke_test INTEGER NOT NULL DEFAULT 0 CHECK (is_smoke_test IN (0, 1)),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX agents_directory ON agents (created_at DESC, id) WHERE is_smoke_test = 0;

CREATE TABLE sellers (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  country TEXT CHECK (length(country) = 2),
  payouts TEXT NOT NULL DEFAULT 'not_connected' CHECK (payouts IN ('not_connected', 'connected')),
  -- A claim link is valid until then; its token is a keyed hash of the seller and this time.
  claim_expires_at TEXT,
  delivered_count INTEGER NOT NULL DEFAULT 0 CHECK (delivered_count >= 0),
  failed_count INTEGER NOT NULL DEFAULT 0 CHECK (failed_count >= 0),
  rating_count INTEGER NOT NULL DEFAULT 0 CHECK (rating_count >= 0),
  rating_sum INTEGER NOT NULL DEFAULT 0 CHECK (rating_sum >= 0),
  registered_at TEXT NOT NULL
) STRICT;

CREATE TABLE delivery_endpoints (
  seller_id TEXT PRIMARY KEY REFERENCES sellers (agent_id) ON DELETE CASCADE,
  callback_url TEXT NOT NULL CHECK (length(callback_url) <= 2048),
  callback_type TEXT NOT NULL CHECK (callback_type IN ('webhook', 'polling', 'mcp')),
  verified_at TEXT NOT NULL
) STRICT;

CREATE TABLE listings (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id),
  seller_kind TEXT NOT NULL CHECK (seller_kind IN ('third_party', 'platform')),
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'inactive')),
  vertical_slug TEXT NOT NULL,
  title TEXT NOT NULL CHECK (length(title) BETWEEN 3 AND 200),
  description TEXT NOT NULL CHECK (length(description) BETWEEN 1 AND 10000),
  preview TEXT NOT NULL CHECK (json_type(preview) = 'object'),
  price_cents INTEGER NOT NULL CHECK (price_cents BETWEEN 0 AND 1000000000),
  pricing_type TEXT NOT NULL DEFAULT 'fixed' CHECK (pricing_type = 'fixed'),
  listing_type TEXT NOT NULL CHECK (listing_type IN ('standard', 'limited', 'exclusive')),
  max_copies INTEGER CHECK (max_copies >= 1),
  fulfilment TEXT NOT NULL CHECK (fulfilment IN ('digital', 'physical')),
  fingerprint TEXT NOT NULL CHECK (fingerprint LIKE 'sha256:%'),
  images TEXT NOT NULL DEFAULT '[]' CHECK (json_type(images) = 'array'),
  input_schema TEXT,
  output_schema TEXT,
  example_query TEXT,
  subcategory TEXT,
  data_date TEXT,
  data_format TEXT,
  seller_state TEXT,
  demographics TEXT,
  context_tags TEXT,
  deidentification_level TEXT,
  authorized_uses TEXT,
  data_origin TEXT,
  collection_method TEXT,
  source_attribution TEXT,
  health_consent_verified INTEGER NOT NULL DEFAULT 0 CHECK (health_consent_verified IN (0, 1)),
  is_sample INTEGER NOT NULL DEFAULT 0 CHECK (is_sample IN (0, 1)),
  sold_count INTEGER NOT NULL DEFAULT 0 CHECK (sold_count >= 0),
  purchase_count INTEGER NOT NULL DEFAULT 0 CHECK (purchase_count >= 0),
  view_count INTEGER NOT NULL DEFAULT 0 CHECK (view_count >= 0),
  rating_count INTEGER NOT NULL DEFAULT 0 CHECK (rating_count >= 0),
  rating_sum INTEGER NOT NULL DEFAULT 0 CHECK (rating_sum BETWEEN rating_count AND 5 * rating_count),
  version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
  -- Of the newest history entry: the next one links to it.
  history_digest TEXT NOT NULL,
  last_modified TEXT,
  created_at TEXT NOT NULL,
  CHECK ((listing_type = 'limited') = (max_copies IS NOT NULL)),
  CHECK (listing_type <> 'limited' OR sold_count <= max_copies),
  CHECK (listing_type <> 'exclusive' OR sold_count <= 1)
) STRICT;
CREATE INDEX listings_of_seller ON listings (seller_id, status);
CREATE INDEX listings_of_vertical ON listings (vertical_slug, status);

CREATE TABLE listing_history (
  listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
  version INTEGER NOT NULL CHECK (version >= 1),
  entry TEXT NOT NULL CHECK (json_type(entry) = 'object'),
  PRIMARY KEY (listing_id, version)
) STRICT, WITHOUT ROWID;

-- Which listings changed since their search document was written: an outbox kept by triggers, so that it
-- cannot be forgotten. `mark` grows with each change, `indexed_mark` follows.
CREATE TABLE search_outbox (
  listing_id TEXT PRIMARY KEY,
  mark INTEGER NOT NULL DEFAULT 1,
  indexed_mark INTEGER NOT NULL DEFAULT 0 CHECK (indexed_mark <= mark)
) STRICT, WITHOUT ROWID;
CREATE INDEX search_outbox_waiting ON search_outbox (listing_id) WHERE indexed_mark < mark;
CREATE TRIGGER listings_inserted AFTER INSERT ON listings BEGIN
  INSERT INTO search_outbox (listing_id) VALUES (NEW.id)
    ON CONFLICT (listing_id) DO UPDATE SET mark = mark + 1;
END;
CREATE TRIGGER listings_updated AFTER UPDATE ON listings BEGIN
  INSERT INTO search_outbox (listing_id) VALUES (NEW.id)
    ON CONFLICT (listing_id) DO UPDATE SET mark = mark + 1;
END;
CREATE TRIGGER listings_deleted AFTER DELETE ON listings BEGIN
  INSERT INTO search_outbox (listing_id) VALUES (OLD.id)
    ON CONFLICT (listing_id) DO UPDATE SET mark = mark + 1;
END;

CREATE TABLE purchases (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  listing_id TEXT NOT NULL REFERENCES listings (id),
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id),
  -- NULL: bought without a key; the content came in the response and cannot be fetched again.
  buyer_id TEXT REFERENCES agents (id),
  status TEXT NOT NULL CHECK (status IN ('pending_payment', 'authorized', 'held', 'releasing', 'released',
    'refunded', 'expired', 'failed')),
  rail TEXT NOT NULL CHECK (rail IN ('checkout', 'card', 'wallet', 'x402')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
  platform_fee_cents INTEGER NOT NULL CHECK (platform_fee_cents BETWEEN 0 AND amount_cents),
  fee_schedule_version INTEGER NOT NULL,
  listing_version INTEGER NOT NULL,
  query TEXT CHECK (query IS NULL OR json_type(query) = 'object'),
  email TEXT,
  content_digest TEXT CHECK (content_digest LIKE 'sha256:%'),
  delivered_at TEXT,
  receipt TEXT CHECK (receipt IS NULL OR json_type(receipt) = 'object'),
  created_at TEXT NOT NULL,
  CHECK (buyer_id IS NULL OR buyer_id <> seller_id),
  CHECK ((content_digest IS NULL) = (delivered_at IS NULL)),
  CHECK (status NOT IN ('held', 'releasing', 'released') OR content_digest IS NOT NULL)
) STRICT;
CREATE INDEX purchases_of_listing ON purchases (listing_id, created_at);
CREATE INDEX purchases_of_buyer ON purchases (buyer_id, created_at) WHERE buyer_id IS NOT NULL;
CREATE INDEX purchases_of_seller ON purchases (seller_id, created_at);

-- Totals kept by triggers, so that reading one does not scan what it counts.
CREATE TABLE totals (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL DEFAULT 0 CHECK (value >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO totals (name) VALUES ('agents');
CREATE TRIGGER agents_counted AFTER INSERT ON agents WHEN NEW.is_smoke_test = 0 BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'agents';
END;
CREATE TRIGGER agents_uncounted AFTER DELETE ON agents WHEN OLD.is_smoke_test = 0 BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'agents';
END;
