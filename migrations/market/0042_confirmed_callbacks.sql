-- When an agent's callbackUrl first acknowledged an event: until then its host may know nothing of it, and what is sent there
-- is bounded by the day.
ALTER TABLE agents ADD COLUMN callback_confirmed_at TEXT;
UPDATE agents SET callback_confirmed_at = (SELECT MIN(delivered_at) FROM agent_events WHERE agent_id = agents.id)
  WHERE callback_url IS NOT NULL;
