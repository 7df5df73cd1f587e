-- The last 20 requests of each seller's endpoint, oldest first: [answered at, listing, verdict, milliseconds, redelivery].
-- One row for a seller, so that noting a request reads and writes one.
CREATE TABLE endpoint_requests (
  seller_id TEXT PRIMARY KEY REFERENCES agents (id),
  requests TEXT NOT NULL CHECK (json_array_length(requests) BETWEEN 1 AND 20)
) STRICT, WITHOUT ROWID;
