-- What was reported and is to be decided: one entry for each listing or agent. A decision can be appealed once.
CREATE TABLE moderation_cases (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  subject_type TEXT NOT NULL CHECK (subject_type IN ('listing', 'agent')),
  subject_id TEXT NOT NULL CHECK (length(subject_id) = 36),
  -- Whose listing or account it is.
  agent_id TEXT NOT NULL,
  reports INTEGER NOT NULL DEFAULT 0 CHECK (reports >= 0),
  opened_at TEXT NOT NULL,
  -- NULL: to be decided.
  action TEXT CHECK (action IN ('dismiss', 'block', 'limit', 'suspend')),
  rule TEXT CHECK (length(rule) BETWEEN 1 AND 40),
  reason TEXT CHECK (length(reason) BETWEEN 1 AND 500),
  decided_at TEXT,
  decided_by TEXT,
  appeal_by TEXT,
  appeal_text TEXT CHECK (length(appeal_text) BETWEEN 1 AND 2000),
  appealed_at TEXT,
  outcome TEXT CHECK (outcome IN ('upheld', 'overturned')),
  outcome_reason TEXT CHECK (length(outcome_reason) BETWEEN 1 AND 500),
  outcome_at TEXT,
  outcome_by TEXT,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'decided', 'appealed')),
  CONSTRAINT decided_in_full CHECK ((state = 'open') = (action IS NULL) AND (action IS NULL) = (decided_at IS NULL) AND (action IS NULL) = (decided_by IS NULL)),
  CONSTRAINT appealed_after CHECK (appealed_at IS NULL OR action IS NOT NULL),
  CONSTRAINT outcome_of_appeal CHECK (outcome IS NULL OR appealed_at IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX moderation_cases_open ON moderation_cases (subject_type, subject_id) WHERE action IS NULL;
CREATE INDEX moderation_cases_by_age ON moderation_cases (state, opened_at, id);

-- A person, or a network, reports a subject once.
CREATE TABLE reports (
  subject_type TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  -- A keyed hash of the network, or the id of an agent whose network was not kept.
  reporter TEXT NOT NULL CHECK (length(reporter) BETWEEN 1 AND 80),
  case_id TEXT NOT NULL REFERENCES moderation_cases (id) ON DELETE CASCADE,
  agent_id TEXT,
  reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 40),
  text TEXT CHECK (length(text) BETWEEN 1 AND 2000),
  created_at TEXT NOT NULL,
  PRIMARY KEY (subject_type, subject_id, reporter)
) STRICT, WITHOUT ROWID;
CREATE INDEX reports_of_case ON reports (case_id, created_at);
CREATE TRIGGER reports_counted AFTER INSERT ON reports BEGIN
  UPDATE moderation_cases SET reports = reports + 1 WHERE id = NEW.case_id;
END;
