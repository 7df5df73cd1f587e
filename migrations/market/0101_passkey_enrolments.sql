-- The right to enrol one passkey: by a challenge that a key asked for, or by a mailed link.
CREATE TABLE passkey_enrolments (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  enrolled_by TEXT NOT NULL CHECK (enrolled_by IN ('key', 'mail')),
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE UNIQUE INDEX passkey_challenge_of_agent ON passkey_enrolments (agent_id) WHERE enrolled_by = 'key';
CREATE INDEX passkey_enrolments_of_agent ON passkey_enrolments (agent_id);
CREATE INDEX passkey_enrolments_by_end ON passkey_enrolments (expires_at);
