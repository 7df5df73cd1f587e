-- Every event of an agent has a number of its own, 1 and on without gaps, given in the transaction that records it: who reads
-- events says after which number.
CREATE TABLE agent_event_counts (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  -- Of the newest event, which may be deleted by now.
  last_sequence INTEGER NOT NULL CHECK (last_sequence > 0)
) STRICT, WITHOUT ROWID;
ALTER TABLE agent_events ADD COLUMN sequence INTEGER CHECK (sequence > 0);
-- Whether it is sent to the callback URL. An agent that has none reads its events itself.
ALTER TABLE agent_events ADD COLUMN is_pushed INTEGER NOT NULL DEFAULT 1 CHECK (is_pushed IN (0, 1));
ALTER TABLE agent_events ADD COLUMN redeliveries INTEGER NOT NULL DEFAULT 0 CHECK (redeliveries BETWEEN 0 AND 10);

UPDATE agent_events SET sequence = numbered.sequence
  FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY agent_id ORDER BY rowid) AS sequence FROM agent_events) AS numbered
  WHERE numbered.id = agent_events.id;
INSERT INTO agent_event_counts (agent_id, last_sequence)
  SELECT agent_id, MAX(sequence) FROM agent_events GROUP BY agent_id;
CREATE UNIQUE INDEX agent_events_in_sequence ON agent_events (agent_id, sequence);

-- A row that comes without its number, from code of before, is given it here.
CREATE TRIGGER agent_events_numbered AFTER INSERT ON agent_events BEGIN
  INSERT INTO agent_event_counts (agent_id, last_sequence) VALUES (NEW.agent_id, 1)
    ON CONFLICT (agent_id) DO UPDATE SET last_sequence = last_sequence + 1;
  UPDATE agent_events
    SET sequence = (SELECT last_sequence FROM agent_event_counts WHERE agent_id = NEW.agent_id)
    WHERE id = NEW.id AND sequence IS NULL;
END;

DROP INDEX agent_events_due;
CREATE INDEX agent_events_due ON agent_events (next_attempt_at, agent_id)
  WHERE delivered_at IS NULL AND given_up_at IS NULL AND is_pushed = 1;
