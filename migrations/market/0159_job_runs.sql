-- When the jobs of every minute ran last ('every_minute'), and since when a job fails that did not succeed since.
CREATE TABLE job_runs (
  job TEXT PRIMARY KEY CHECK (length(job) BETWEEN 1 AND 64),
  ran_at TEXT NOT NULL,
  failing_since TEXT
) STRICT, WITHOUT ROWID;
