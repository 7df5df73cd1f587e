-- Conditions that need a person and hold now, and when they were last sent.
CREATE TABLE alarms (
  code TEXT PRIMARY KEY CHECK (length(code) BETWEEN 1 AND 64),
  began_at TEXT NOT NULL,
  notified_at TEXT
) STRICT, WITHOUT ROWID;
