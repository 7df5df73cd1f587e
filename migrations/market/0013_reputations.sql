-- With which reputation a seller's listings stand in the search index, so that a job can tell which are to be written
-- anew: sales and ratings change it, and so does time alone.
CREATE TABLE indexed_reputations (
  seller_id TEXT PRIMARY KEY REFERENCES sellers (agent_id) ON DELETE CASCADE,
  reputation REAL NOT NULL,
  -- While the listings are being marked, in the order of their rowids: up to which that is done. NULL: all are.
  marked_to INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX indexed_reputations_unfinished ON indexed_reputations (seller_id) WHERE marked_to IS NOT NULL;

-- Sellers are looked at in the order of their ids, a part of them in each run.
CREATE TABLE reputation_sweep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  looked_to TEXT NOT NULL
) STRICT;
INSERT INTO reputation_sweep (id, looked_to) VALUES (1, '');
