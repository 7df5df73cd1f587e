-- A rest that was refused, as that of an account that the token lets nobody pay, is tried ever more rarely.
ALTER TABLE tabs ADD COLUMN return_attempts INTEGER NOT NULL DEFAULT 0 CHECK (return_attempts >= 0);
-- Not before then.
ALTER TABLE tabs ADD COLUMN return_due_at TEXT;
