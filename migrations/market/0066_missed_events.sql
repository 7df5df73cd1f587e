-- Reports of the card processor: those that came, and those that it has and nobody brought.
CREATE TABLE card_events (
  -- The processor's id.
  event_id TEXT PRIMARY KEY CHECK (length(event_id) BETWEEN 1 AND 255),
  about TEXT NOT NULL CHECK (json_type(about) = 'object'),
  -- When the processor made it.
  created_at TEXT NOT NULL,
  -- When what it is about was looked at; NULL: not yet.
  taken_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX card_events_missed ON card_events (created_at, event_id) WHERE taken_at IS NULL;
CREATE INDEX card_events_by_age ON card_events (created_at);

CREATE TABLE card_event_readings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Everything that the processor made before was compared. NULL: never yet.
  read_until TEXT
) STRICT;
INSERT INTO card_event_readings (id) VALUES (1);

-- Messages that the queue gave up.
CREATE TABLE dead_messages (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  message TEXT NOT NULL CHECK (json_type(message) = 'object'),
  died_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX dead_messages_by_age ON dead_messages (died_at, id);
