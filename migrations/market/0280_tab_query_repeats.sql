-- How often the seller was asked for the answer again: a voucher pays for one, and for a few that are lost on the way.
ALTER TABLE tab_queries ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0 CHECK (repeats BETWEEN 0 AND 10);
