-- Personal health data: the signed consents under which it is sold, and what its buyers declared.

-- One for each listing. The record names its signer by a salted digest only; the name and the salt, which
-- open that digest, are kept beside it and never shown to anyone but the signer.
CREATE TABLE health_consents (
  listing_id TEXT PRIMARY KEY REFERENCES listings (id),
  record TEXT CHECK (json_type(record) = 'object'),
  signer_legal_name TEXT,
  signer_salt TEXT,
  signed_at TEXT NOT NULL,
  -- Six years from the signature. Not before then, and not while something still rests on it, is it erased.
  retain_until TEXT NOT NULL CHECK (retain_until > signed_at),
  erased_at TEXT CHECK (erased_at >= retain_until),
  CHECK ((record IS NULL) = (erased_at IS NOT NULL)),
  CHECK ((signer_legal_name IS NULL) = (erased_at IS NOT NULL)),
  CHECK ((signer_salt IS NULL) = (erased_at IS NOT NULL))
) STRICT;
CREATE INDEX health_consents_to_erase ON health_consents (retain_until) WHERE erased_at IS NULL;

-- A consent is never deleted, and changes once: when it is erased.
CREATE TRIGGER health_consents_kept BEFORE DELETE ON health_consents BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: health_consents_kept');
END;
CREATE TRIGGER health_consents_fixed BEFORE UPDATE ON health_consents
WHEN OLD.erased_at IS NOT NULL OR NEW.erased_at IS NULL OR NEW.listing_id <> OLD.listing_id
  OR NEW.signed_at <> OLD.signed_at OR NEW.retain_until <> OLD.retain_until
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: health_consents_fixed');
END;

-- What an ordinary listing may be, a listing of personal health data may not, whoever writes the row. The
-- platform's own sample holds nobody's data.
CREATE TRIGGER health_listings_begun BEFORE INSERT ON listings
WHEN NEW.vertical_slug = 'personal-health' AND NEW.is_sample = 0
  AND (NEW.price_cents < 500 OR NEW.listing_type <> 'standard' OR NEW.health_consent_verified = 0)
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: health_listing');
END;
CREATE TRIGGER health_listings_changed
BEFORE UPDATE OF vertical_slug, is_sample, price_cents, listing_type, status, health_consent_verified ON listings
WHEN NEW.vertical_slug = 'personal-health' AND NEW.is_sample = 0
  AND (NEW.price_cents < 500 OR NEW.listing_type <> 'standard'
    OR (NEW.status <> 'inactive' AND NEW.health_consent_verified = 0))
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: health_listing');
END;

-- The buyer's signed declaration, bound to this purchase. Without one no health data is bought, on any rail.
ALTER TABLE purchases ADD COLUMN health_attestation TEXT
  CHECK (health_attestation IS NULL OR json_type(health_attestation) = 'object');
CREATE TRIGGER health_purchases_attested BEFORE INSERT ON purchases
WHEN (NEW.health_attestation IS NULL OR NEW.rail = 'x402')
  AND EXISTS (SELECT 1 FROM listings WHERE id = NEW.listing_id AND vertical_slug = 'personal-health')
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: health_purchase');
END;
