-- An agent has several API keys, each for what it was made for. The one of the registration is the first.
CREATE TABLE agent_keys (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  -- The key that made it. NULL: the registration's, or one that a person recovered the account with.
  parent_key_id TEXT REFERENCES agent_keys (id),
  -- The key whose place it took. A key is replaced once.
  replaces_key_id TEXT UNIQUE REFERENCES agent_keys (id),
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
  scopes TEXT NOT NULL CHECK (json_type(scopes) = 'array' AND json_array_length(scopes) BETWEEN 1 AND 4),
  key_hash TEXT NOT NULL UNIQUE CHECK (length(key_hash) = 64),
  policy_id TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  -- To the hour.
  last_used_at TEXT
) STRICT;
CREATE INDEX agent_keys_of_agent ON agent_keys (agent_id, created_at DESC, id);
CREATE INDEX agent_keys_of_parent ON agent_keys (parent_key_id) WHERE parent_key_id IS NOT NULL;

-- Whatever the code does, no key can do more than the one that made it, nor live longer.
CREATE TRIGGER agent_keys_within_parent BEFORE INSERT ON agent_keys WHEN NEW.parent_key_id IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM agent_keys AS parent
    WHERE parent.id = NEW.parent_key_id AND parent.agent_id = NEW.agent_id AND parent.revoked_at IS NULL
      AND (parent.expires_at IS NULL
        OR (parent.expires_at > NEW.created_at AND NEW.expires_at IS NOT NULL AND NEW.expires_at <= parent.expires_at))
      AND (parent.scopes = '["all"]'
        OR NOT EXISTS (SELECT 1 FROM json_each(NEW.scopes) AS wanted
          WHERE wanted.value NOT IN (SELECT value FROM json_each(parent.scopes)))))
BEGIN
  SELECT RAISE(ABORT, 'guard key_within_parent');
END;
CREATE TRIGGER agent_keys_never_widen BEFORE UPDATE OF agent_id, scopes, key_hash, expires_at, revoked_at ON agent_keys
  WHEN NEW.agent_id <> OLD.agent_id OR NEW.scopes <> OLD.scopes OR NEW.key_hash <> OLD.key_hash
    OR (OLD.expires_at IS NOT NULL AND (NEW.expires_at IS NULL OR NEW.expires_at > OLD.expires_at))
    OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS NOT OLD.revoked_at)
BEGIN
  SELECT RAISE(ABORT, 'guard key_never_widens');
END;

INSERT INTO agent_keys (id, agent_id, label, scopes, key_hash, created_at)
  SELECT lower(printf('%s-%s-4%s-8%s-%s', hex(randomblob(4)), hex(randomblob(2)), substr(hex(randomblob(2)), 2),
      substr(hex(randomblob(2)), 2), hex(randomblob(6)))),
    id, 'registration', '["all"]', api_key_hash, created_at
  FROM agents WHERE api_key_hash IS NOT NULL;

-- Agents that the version before registers while this one is deployed. `agents.api_key_hash` is written by it only.
CREATE TRIGGER agents_first_key AFTER INSERT ON agents WHEN NEW.api_key_hash IS NOT NULL BEGIN
  INSERT INTO agent_keys (id, agent_id, label, scopes, key_hash, created_at) VALUES (
    lower(printf('%s-%s-4%s-8%s-%s', hex(randomblob(4)), hex(randomblob(2)), substr(hex(randomblob(2)), 2),
      substr(hex(randomblob(2)), 2), hex(randomblob(6)))),
    NEW.id, 'registration', '["all"]', NEW.api_key_hash, NEW.created_at);
END;
