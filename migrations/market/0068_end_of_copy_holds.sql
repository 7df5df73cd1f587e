-- Holds of copies that ended are deleted by the clock.
CREATE INDEX copy_holds_by_age ON copy_holds (held_until);
