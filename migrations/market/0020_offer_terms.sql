-- An offer is for the listing as it was when it was made: what has another fingerprint was not offered for. Null in offers
-- of before, where the listing's history tells.
ALTER TABLE offers ADD COLUMN listing_fingerprint TEXT;
ALTER TABLE offers ADD COLUMN listing_version INTEGER CHECK (listing_version >= 1);

-- Whether its buyer took it back. It is `declined` besides, so that code of before reads nothing that it does not know.
ALTER TABLE offers ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0
  CHECK (withdrawn = 0 OR (withdrawn = 1 AND status = 'declined'));
