-- Since when the transparency log adds nothing, because more of it is known elsewhere than its object remembers; NULL: it does not
-- stand still.
ALTER TABLE log_state ADD COLUMN stopped_at TEXT;
