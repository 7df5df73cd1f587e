-- An address that was mailed a link, until the link is opened: one at a time for an agent.
CREATE TABLE email_links (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL UNIQUE REFERENCES agents (id) ON DELETE CASCADE,
  address TEXT NOT NULL CHECK (length(address) BETWEEN 3 AND 254),
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;

-- A way back into an account whose keys are lost. The delay begins when the mailed link is opened.
CREATE TABLE account_recoveries (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  requested_at TEXT NOT NULL,
  link_expires_at TEXT NOT NULL,
  opened_at TEXT,
  effective_at TEXT,
  cancelled_at TEXT,
  completed_at TEXT,
  CONSTRAINT delay_as_a_whole CHECK ((opened_at IS NULL) = (effective_at IS NULL)),
  CONSTRAINT opened_first CHECK (completed_at IS NULL OR completed_at >= effective_at),
  CONSTRAINT over_in_one_way CHECK (cancelled_at IS NULL OR completed_at IS NULL)
) STRICT;
CREATE INDEX account_recoveries_of_agent ON account_recoveries (agent_id, requested_at);
CREATE INDEX agents_by_verified_email ON agents (lower(email)) WHERE email_verified_at IS NOT NULL;
