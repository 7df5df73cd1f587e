-- Purchases on the rail x402: what their payers signed (EIP-3009), and how far the settlement got. The money
-- itself stands in `payments` and in the ledger, like that of any other rail.
CREATE TABLE usdc_payments (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  chain_id INTEGER NOT NULL,
  payer TEXT NOT NULL CHECK (length(payer) = 42 AND payer GLOB '0x*' AND payer = lower(payer)),
  pay_to TEXT NOT NULL CHECK (length(pay_to) = 42 AND pay_to GLOB '0x*'),
  -- 256-bit numbers do not fit an INTEGER: decimal digits.
  units TEXT NOT NULL CHECK (length(units) BETWEEN 1 AND 78),
  valid_after TEXT NOT NULL CHECK (length(valid_after) BETWEEN 1 AND 78),
  valid_before TEXT NOT NULL CHECK (length(valid_before) BETWEEN 1 AND 78),
  nonce TEXT NOT NULL CHECK (length(nonce) = 66 AND nonce GLOB '0x*' AND nonce = lower(nonce)),
  -- What the payment is for, and its signature: the digest that a repetition must have, too.
  binding TEXT NOT NULL CHECK (binding LIKE 'sha256:%'),
  -- Of the extension payment-identifier.
  payment_identifier TEXT CHECK (length(payment_identifier) BETWEEN 16 AND 128),

  -- Noted before settlement is asked for; from then on only the chain says whether the purchase is paid.
  content_digest TEXT CHECK (content_digest LIKE 'sha256:%'),
  delivered_at TEXT,
  -- What was last said to settle it; in `payments.charge_id` once the chain has shown it.
  transaction_hash TEXT CHECK (length(transaction_hash) = 66),
  -- 0: the purchase ended unpaid, so that the payer may use the authorisation again.
  is_live INTEGER NOT NULL DEFAULT 1 CHECK (is_live IN (0, 1)),
  CONSTRAINT delivered_as_a_whole CHECK ((content_digest IS NULL) = (delivered_at IS NULL))
) STRICT;
-- One authorisation pays one purchase, however many Workers see it at once.
CREATE UNIQUE INDEX usdc_payments_live ON usdc_payments (payer, nonce) WHERE is_live = 1;
CREATE UNIQUE INDEX usdc_payments_identified ON usdc_payments (payment_identifier)
  WHERE is_live = 1 AND payment_identifier IS NOT NULL;
CREATE INDEX usdc_payments_of_authorization ON usdc_payments (payer, nonce);

CREATE TRIGGER usdc_payments_given_up AFTER UPDATE OF status ON purchases
WHEN OLD.status = 'authorized' AND NEW.status IN ('failed', 'refunded', 'expired') AND NEW.rail = 'x402'
BEGIN
  UPDATE usdc_payments SET is_live = 0 WHERE purchase_id = NEW.id;
END;

-- What can be paid for over x402, newest first.
CREATE INDEX listings_payable ON listings (created_at DESC, id)
  WHERE status = 'active' AND price_cents > 0 AND vertical_slug <> 'personal-health'
    AND (listing_type = 'standard' OR sold_count < COALESCE(max_copies, 1));
