-- What the transactions of the platform's own account cost, as their receipts say.
CREATE TABLE gas_costs (
  chain_id INTEGER NOT NULL,
  -- The number that the account's records give it.
  entry_id INTEGER NOT NULL,
  transaction_hash TEXT NOT NULL,
  wei TEXT NOT NULL CHECK (length(wei) BETWEEN 1 AND 40),
  booked_at TEXT NOT NULL,
  PRIMARY KEY (chain_id, entry_id)
) STRICT, WITHOUT ROWID;
