-- A claim is looked at for a reversal when one may be asked for, and not every minute while it is open.

-- NULL: nothing of it is open, or no transfer is left of which it could be reversed.
ALTER TABLE seller_claims ADD COLUMN recover_at TEXT;
UPDATE seller_claims SET recover_at = '' WHERE claim_cents > withheld_cents;
CREATE INDEX seller_claims_recoverable ON seller_claims (recover_at, dispute_id) WHERE recover_at IS NOT NULL;

CREATE TRIGGER seller_claims_made AFTER INSERT ON seller_claims WHEN NEW.claim_cents > NEW.withheld_cents BEGIN
  UPDATE seller_claims SET recover_at = '' WHERE dispute_id = NEW.dispute_id;
END;
-- At once where more of it is open.
CREATE TRIGGER seller_claims_moved AFTER UPDATE OF claim_cents, withheld_cents ON seller_claims
WHEN NEW.claim_cents - NEW.withheld_cents > MAX(0, OLD.claim_cents - OLD.withheld_cents)
  OR (NEW.claim_cents <= NEW.withheld_cents AND NEW.recover_at IS NOT NULL)
BEGIN
  UPDATE seller_claims SET recover_at = iif(NEW.claim_cents > NEW.withheld_cents, '', NULL)
    WHERE dispute_id = NEW.dispute_id;
END;
