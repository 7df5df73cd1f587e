-- What a person proved to be there with; never an agent's key.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 16 AND 1400),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
  -- COSE, as base64url.
  public_key TEXT NOT NULL CHECK (length(public_key) <= 1400),
  counter INTEGER NOT NULL CHECK (counter >= 0),
  enrolled_by TEXT NOT NULL CHECK (enrolled_by IN ('key', 'mail')),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX passkeys_of_agent ON passkeys (agent_id);

-- A purchase or an offer that waits for a person, and for nothing else than what stands here.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  key_id TEXT NOT NULL,
  -- A digest of all that it is for: the Idempotency-Key, listing, version, price, query and rails.
  binding TEXT NOT NULL,
  listing_id TEXT NOT NULL REFERENCES listings (id),
  listing_version INTEGER NOT NULL,
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  query TEXT CHECK (query IS NULL OR json_type(query) = 'object'),
  rails TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'declined', 'used', 'expired')),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  decided_at TEXT,
  decided_by TEXT CHECK (decided_by IN ('passkey', 'mail')),
  -- The purchase or the offer that it was used for.
  used_for TEXT,
  CONSTRAINT decided_by_somebody CHECK ((status IN ('approved', 'used')) <= (decided_by IS NOT NULL)),
  CONSTRAINT used_for_something CHECK ((status = 'used') = (used_for IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX one_open_approval ON approvals (agent_id, key_id, binding) WHERE status IN ('pending', 'approved');
CREATE INDEX approvals_by_end ON approvals (expires_at);
CREATE TRIGGER approvals_way BEFORE UPDATE OF status ON approvals
WHEN NEW.status <> OLD.status AND NOT (OLD.status = 'pending' AND NEW.status IN ('approved', 'declined', 'expired')
  OR OLD.status = 'approved' AND NEW.status IN ('used', 'declined', 'expired'))
BEGIN
  SELECT RAISE(ABORT, 'guard approval_way');
END;
CREATE TRIGGER approvals_fixed BEFORE UPDATE OF agent_id, key_id, binding, listing_id, listing_version, amount_cents, rails, expires_at
  ON approvals
BEGIN
  SELECT RAISE(ABORT, 'guard approval_fixed');
END;
