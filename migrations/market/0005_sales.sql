-- What is paid for: how far each priced purchase got with its money, and what has to be done next. Free
-- purchases have no row here. The status stands in `purchases`; both change in one transaction.
CREATE TABLE payments (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  -- Of the listing as it was bought, and the terms as they were agreed.
  fingerprint TEXT NOT NULL CHECK (fingerprint LIKE 'sha256:%'),
  fulfilment TEXT NOT NULL CHECK (fulfilment IN ('digital', 'physical')),
  hold_hours INTEGER NOT NULL CHECK (hold_hours >= 0),

  -- When a job has to look at this purchase; NULL: it waits for somebody, or is over.
  due_at TEXT,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- Until then one request works on it and others wait.
  worked_until TEXT,

  -- What is asked of the processor, and what it answered.
  customer_id TEXT,
  payment_method_id TEXT,
  session_id TEXT UNIQUE,
  checkout_url TEXT,
  payment_id TEXT UNIQUE,
  charge_id TEXT,

  authorized_at TEXT,
  -- Until when what is reserved waits to be collected.
  authorization_expires_at TEXT,
  -- Decided: nothing will be captured, and this is the status once the money is given back.
  ending TEXT CHECK (ending IN ('failed', 'refunded', 'expired')),
  failure TEXT CHECK (length(failure) <= 64),

  captured_cents INTEGER NOT NULL DEFAULT 0 CHECK (captured_cents >= 0),
  fee_cents INTEGER NOT NULL DEFAULT 0 CHECK (fee_cents >= 0),
  transferred_cents INTEGER NOT NULL DEFAULT 0 CHECK (transferred_cents >= 0),
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
  captured_at TEXT,
  -- When escrow ends by the clock; NULL until a physical order is shipped.
  hold_until TEXT,
  shipped_at TEXT,
  carrier TEXT CHECK (length(carrier) BETWEEN 1 AND 100),
  tracking_number TEXT CHECK (length(tracking_number) BETWEEN 1 AND 100),

  transfer_account_id TEXT,
  transfer_id TEXT UNIQUE,
  -- Each refused transfer is over; the next one is another and has a key of its own.
  transfer_refusals INTEGER NOT NULL DEFAULT 0 CHECK (transfer_refusals >= 0),
  releasing_since TEXT,

  refund_reason TEXT CHECK (length(refund_reason) <= 200),
  refund_requested_at TEXT,
  refund_id TEXT UNIQUE,
  refunded_at TEXT,

  CONSTRAINT captured_covers_what_left CHECK (transferred_cents + fee_cents + refunded_cents <= captured_cents),
  CONSTRAINT captured_at_a_time CHECK ((captured_cents = 0) OR (captured_at IS NOT NULL)),
  CONSTRAINT shipped_as_a_whole CHECK ((shipped_at IS NULL) = (carrier IS NULL)
    AND (shipped_at IS NULL) = (tracking_number IS NULL))
) STRICT;
CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;

-- The ways a purchase may go. Code asks for the status it expects; this is the last line.
CREATE TRIGGER purchases_way BEFORE UPDATE OF status ON purchases
WHEN NEW.status <> OLD.status AND NOT (
  (OLD.status = 'pending_payment' AND NEW.status IN ('authorized', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status IN ('held', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status = 'released' AND NEW.amount_cents = 0)
  OR (OLD.status = 'held' AND NEW.status IN ('releasing', 'refunded'))
  OR (OLD.status = 'releasing' AND NEW.status IN ('released', 'held')))
BEGIN
  SELECT RAISE(ABORT, 'guard purchase_way');
END;

CREATE TABLE disputes (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  reason TEXT NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
  opened_at TEXT NOT NULL,
  decision TEXT CHECK (decision IN ('refund', 'release')),
  decided_at TEXT,
  CONSTRAINT decided_as_a_whole CHECK ((decision IS NULL) = (decided_at IS NULL))
) STRICT;
CREATE INDEX disputes_open ON disputes (opened_at, purchase_id) WHERE decision IS NULL;

-- What a buyer would give for an exclusive listing.
CREATE TABLE offers (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  listing_id TEXT NOT NULL REFERENCES listings (id),
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id),
  buyer_id TEXT NOT NULL REFERENCES agents (id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents BETWEEN 1 AND 1000000000),
  query TEXT CHECK (query IS NULL OR json_type(query) = 'object'),
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'declined')),
  expires_at TEXT NOT NULL,
  purchase_id TEXT UNIQUE REFERENCES purchases (id),
  decided_at TEXT,
  created_at TEXT NOT NULL,
  CHECK (buyer_id <> seller_id),
  CONSTRAINT decided_as_a_whole CHECK ((status = 'open') = (decided_at IS NULL)),
  CONSTRAINT accepted_is_a_purchase CHECK ((status = 'accepted') = (purchase_id IS NOT NULL))
) STRICT;
CREATE INDEX offers_of_seller ON offers (seller_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX one_open_offer ON offers (listing_id, buyer_id) WHERE status = 'open';

-- Where a seller's share is transferred to.
CREATE TABLE payout_accounts (
  seller_id TEXT PRIMARY KEY REFERENCES sellers (agent_id) ON DELETE CASCADE,
  account_id TEXT NOT NULL UNIQUE,
  country TEXT NOT NULL CHECK (length(country) = 2),
  payouts_enabled INTEGER NOT NULL DEFAULT 0 CHECK (payouts_enabled IN (0, 1)),
  details_submitted INTEGER NOT NULL DEFAULT 0 CHECK (details_submitted IN (0, 1)),
  created_at TEXT NOT NULL
) STRICT;
