-- What a seller owes for a payment that a bank took back after its payout is taken back from its account at the card
-- processor, by a reversal of that very transfer; what cannot be, or what the seller is owed, is settled by hand.

CREATE TABLE claim_recoveries (
  dispute_id TEXT NOT NULL REFERENCES seller_claims (dispute_id),
  number INTEGER NOT NULL CHECK (number >= 1),
  -- A reversal of the transfer, or the account of the platform that the seller paid into, or was paid from.
  way TEXT NOT NULL CHECK (way IN ('transfer', 'bank', 'usdc_clearing', 'adjustments')),
  -- Positive: from the seller; negative: to it.
  cents INTEGER NOT NULL CHECK (cents <> 0),
  transfer_id TEXT,
  began_at TEXT NOT NULL,
  -- How the processor's answer was: its reversal, or why it refused; neither while nobody knows.
  reversal_id TEXT,
  refused_code TEXT,
  ended_at TEXT CHECK (ended_at >= began_at),
  PRIMARY KEY (dispute_id, number),
  CONSTRAINT of_transfer CHECK ((way = 'transfer') = (transfer_id IS NOT NULL) AND (way <> 'transfer' OR cents > 0)),
  CONSTRAINT answer_of_transfer CHECK (reversal_id IS NULL OR refused_code IS NULL),
  CONSTRAINT ended_with_answer CHECK (CASE way WHEN 'transfer'
    THEN (ended_at IS NULL) = (reversal_id IS NULL AND refused_code IS NULL) ELSE ended_at IS NOT NULL END)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_recoveries_under_way ON claim_recoveries (began_at) WHERE ended_at IS NULL;
CREATE INDEX claim_recoveries_of_transfer ON claim_recoveries (transfer_id) WHERE transfer_id IS NOT NULL;

-- As a payout that bears a claim: no cent of it is borne twice, and what the processor refused is open again.
CREATE TRIGGER claim_recoveries_open BEFORE INSERT ON claim_recoveries
WHEN NOT EXISTS (SELECT 1 FROM seller_claims WHERE dispute_id = NEW.dispute_id
  AND iif(NEW.cents > 0, claim_cents - withheld_cents >= NEW.cents, claim_cents - withheld_cents <= NEW.cents))
BEGIN
  SELECT RAISE(ABORT, 'guard claim_open');
END;
CREATE TRIGGER claim_recoveries_begun AFTER INSERT ON claim_recoveries BEGIN
  UPDATE seller_claims SET withheld_cents = withheld_cents + NEW.cents WHERE dispute_id = NEW.dispute_id;
END;
CREATE TRIGGER claim_recoveries_refused AFTER UPDATE OF refused_code ON claim_recoveries
WHEN OLD.refused_code IS NULL AND NEW.refused_code IS NOT NULL BEGIN
  UPDATE seller_claims SET withheld_cents = withheld_cents - NEW.cents WHERE dispute_id = NEW.dispute_id;
END;
