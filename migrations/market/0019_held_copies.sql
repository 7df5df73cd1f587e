-- A checkout page takes no copy of a limited or exclusive listing until somebody paid there: opening one costs nothing.
ALTER TABLE payments ADD COLUMN holds_copy INTEGER NOT NULL DEFAULT 1 CHECK (holds_copy IN (0, 1));

-- What a wallet bore of all chargebacks, and what of that may come back.
DROP INDEX chargebacks_returnable;
CREATE INDEX chargebacks_of_wallet ON chargebacks (agent_id, status, covered_cents) WHERE agent_id IS NOT NULL;
