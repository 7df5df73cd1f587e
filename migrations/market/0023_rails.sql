-- One row says what is true of every sale; what only one rail, a shipment or a transfer knows has a table of its own.

-- Which rails there are is said in one place, the list in the code: the column holds any name. A CHECK goes with its
-- column, and what looks at the column is made anew after.
DROP TRIGGER demand_settled_at_once;
DROP TRIGGER demand_settled;
DROP TRIGGER demand_designated;
DROP TRIGGER demand_redesignated;
DROP TRIGGER demand_undesignated;
DROP TRIGGER health_purchases_attested;
DROP TRIGGER usdc_payments_given_up;
DROP TRIGGER purchases_way;
DROP VIEW settled_purchases;
DROP INDEX purchases_refundable_to_wallet;
ALTER TABLE purchases ADD COLUMN rail_name TEXT NOT NULL DEFAULT '' CHECK (length(rail_name) <= 32);
UPDATE purchases SET rail_name = rail;
ALTER TABLE purchases DROP COLUMN rail;
ALTER TABLE purchases RENAME COLUMN rail_name TO rail;

-- What is asked of the card processor for a saved card, and what it answered.
CREATE TABLE card_payments (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  customer_id TEXT NOT NULL,
  payment_method_id TEXT NOT NULL,
  payment_id TEXT UNIQUE,
  charge_id TEXT
) STRICT;
INSERT INTO card_payments (purchase_id, customer_id, payment_method_id, payment_id, charge_id)
  SELECT purchase_id, customer_id, payment_method_id, payment_id, charge_id FROM payments JOIN purchases ON id = purchase_id
  WHERE rail = 'card' AND customer_id IS NOT NULL AND payment_method_id IS NOT NULL;

-- The same for a page on which a person pays.
CREATE TABLE checkout_payments (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  session_id TEXT UNIQUE,
  checkout_url TEXT,
  payment_id TEXT UNIQUE,
  charge_id TEXT
) STRICT;
INSERT INTO checkout_payments (purchase_id, session_id, checkout_url, payment_id, charge_id)
  SELECT purchase_id, session_id, checkout_url, payment_id, charge_id FROM payments JOIN purchases ON id = purchase_id
  WHERE rail = 'checkout';

-- What settled a payment, once the chain has shown it; until then `transaction_hash` is only what was last heard.
ALTER TABLE usdc_payments ADD COLUMN settled_by TEXT CHECK (length(settled_by) = 66);
UPDATE usdc_payments SET settled_by = payments.charge_id FROM payments
  WHERE payments.purchase_id = usdc_payments.purchase_id AND length(payments.charge_id) = 66;
ALTER TABLE usdc_payments RENAME COLUMN look_at TO check_at;
ALTER TABLE chargebacks RENAME COLUMN look_at TO check_at;
ALTER TABLE chargebacks RENAME COLUMN seller_told_at TO seller_notified_at;

-- Physical orders: until when they must be shipped, and how they were.
CREATE TABLE shipments (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  -- As it was agreed.
  ship_days INTEGER NOT NULL CHECK (ship_days >= 1),
  -- Set with the delivery.
  ship_by TEXT,
  shipped_at TEXT,
  carrier TEXT CHECK (length(carrier) BETWEEN 1 AND 100),
  tracking_number TEXT CHECK (length(tracking_number) BETWEEN 1 AND 100),
  CONSTRAINT shipped_as_a_whole CHECK ((shipped_at IS NULL) = (carrier IS NULL)
    AND (shipped_at IS NULL) = (tracking_number IS NULL))
) STRICT;
INSERT INTO shipments (purchase_id, ship_days, ship_by, shipped_at, carrier, tracking_number)
  SELECT purchase_id, ship_days, ship_by, shipped_at, carrier, tracking_number FROM payments WHERE fulfilment = 'physical';

-- The seller's share on its way: to an account of the card processor, or in a batch to a wallet.
CREATE TABLE transfers (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  account_id TEXT,
  transfer_id TEXT UNIQUE,
  -- Each refused transfer is over; the next one is another and has a key of its own.
  refusals INTEGER NOT NULL DEFAULT 0 CHECK (refusals >= 0),
  releasing_since TEXT,
  payout_batch_id TEXT REFERENCES payout_batches (id)
) STRICT;
INSERT INTO transfers (purchase_id, account_id, transfer_id, refusals, releasing_since, payout_batch_id)
  SELECT purchase_id, transfer_account_id, transfer_id, transfer_refusals, releasing_since, payout_batch_id FROM payments
  WHERE transfer_account_id IS NOT NULL OR transfer_refusals > 0 OR payout_batch_id IS NOT NULL;
CREATE INDEX transfers_of_batch ON transfers (payout_batch_id) WHERE payout_batch_id IS NOT NULL;

-- How far each priced purchase got with its money, and what has to be done next. The status stands in `purchases`;
-- both change in one transaction.
ALTER TABLE payments RENAME TO payments_before;
CREATE TABLE payments (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  -- Of the listing as it was bought, and the terms as they were agreed.
  fingerprint TEXT NOT NULL CHECK (fingerprint LIKE 'sha256:%'),
  fulfilment TEXT NOT NULL CHECK (fulfilment IN ('digital', 'physical')),
  hold_hours INTEGER NOT NULL CHECK (hold_hours >= 0),
  -- Of the ledger: where the money comes from, and goes back to. NULL: it is free.
  payer_account TEXT CHECK (length(payer_account) BETWEEN 1 AND 100),

  -- When a job has to look at this purchase; NULL: it waits for somebody, or is over.
  due_at TEXT,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- Until then one request works on it and others wait.
  leased_until TEXT,

  authorized_at TEXT,
  -- Until when what is reserved waits to be collected.
  collect_until TEXT,
  -- Whether it holds a unit of a limited or exclusive listing.
  holds_unit INTEGER NOT NULL DEFAULT 1 CHECK (holds_unit IN (0, 1)),
  -- Decided: nothing will be captured, and this is the status once the money is back.
  outcome TEXT CHECK (outcome IN ('failed', 'refunded', 'expired')),
  failure TEXT CHECK (length(failure) <= 64),

  captured_cents INTEGER NOT NULL DEFAULT 0 CHECK (captured_cents >= 0),
  fee_cents INTEGER NOT NULL DEFAULT 0 CHECK (fee_cents >= 0),
  transferred_cents INTEGER NOT NULL DEFAULT 0 CHECK (transferred_cents >= 0),
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
  captured_at TEXT,
  -- When escrow ends by the clock; NULL until a physical order is shipped.
  hold_until TEXT,

  refund_reason TEXT CHECK (length(refund_reason) <= 200),
  refund_requested_at TEXT,
  refund_id TEXT UNIQUE,
  refunded_at TEXT,

  CONSTRAINT captured_covers_what_left CHECK (transferred_cents + fee_cents + refunded_cents <= captured_cents),
  CONSTRAINT captured_at_a_time CHECK ((captured_cents = 0) OR (captured_at IS NOT NULL))
) STRICT;
INSERT INTO payments (purchase_id, fingerprint, fulfilment, hold_hours, payer_account, due_at, attempts, leased_until,
    authorized_at, collect_until, holds_unit, outcome, failure, captured_cents, fee_cents, transferred_cents,
    refunded_cents, captured_at, hold_until, refund_reason, refund_requested_at, refund_id, refunded_at)
  SELECT purchase_id, fingerprint, fulfilment, hold_hours,
    CASE WHEN amount_cents = 0 THEN NULL WHEN rail = 'wallet' THEN 'wallet:' || buyer_id
      WHEN rail = 'x402' THEN 'usdc_clearing' ELSE 'card_clearing' END,
    due_at, attempts, worked_until, authorized_at, authorization_expires_at, holds_copy, ending, failure, captured_cents,
    fee_cents, transferred_cents, refunded_cents, captured_at, hold_until, refund_reason, refund_requested_at, refund_id,
    refunded_at
  FROM payments_before JOIN purchases ON id = purchase_id;
DROP TABLE payments_before;
CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;

CREATE INDEX purchases_refundable_to_wallet ON purchases (buyer_id, amount_cents)
  WHERE rail = 'wallet' AND status IN ('pending_payment', 'authorized', 'held', 'releasing');
CREATE VIEW settled_purchases AS
SELECT p.id AS purchase_id, p.created_at, p.seller_id, p.buyer_id, p.rail, p.status, p.amount_cents,
  p.platform_fee_cents, l.vertical_slug, l.is_sample AS is_reference,
  CASE
    WHEN sd.party = 'internal' OR bd.party = 'internal' THEN 'internal'
    WHEN (s.is_platform = 1 OR sd.party IN ('house_buyer', 'house_seller'))
      AND (b.is_platform = 1 OR bd.party IN ('house_buyer', 'house_seller')) THEN 'internal'
    WHEN b.is_platform = 1 OR bd.party IN ('house_buyer', 'house_seller') THEN 'house_buyer'
    WHEN s.is_platform = 1 OR l.is_sample = 1 OR sd.party IN ('house_buyer', 'house_seller') THEN 'house_seller'
    WHEN sd.party = 'affiliated' OR bd.party = 'affiliated' THEN 'affiliated'
    WHEN p.buyer_id IS NULL THEN 'anonymous'
    ELSE 'apart'
  END AS class
FROM purchases AS p
  CROSS JOIN listings AS l ON l.id = p.listing_id
  CROSS JOIN agents AS s ON s.id = p.seller_id
  LEFT JOIN agents AS b ON b.id = p.buyer_id
  LEFT JOIN party_designations AS sd ON sd.agent_id = p.seller_id
  LEFT JOIN party_designations AS bd ON bd.agent_id = p.buyer_id
WHERE p.status IN ('held', 'releasing', 'released') AND s.is_smoke_test = 0 AND COALESCE(b.is_smoke_test, 0) = 0;
CREATE TRIGGER demand_settled_at_once AFTER INSERT ON purchases
WHEN NEW.status IN ('held', 'releasing', 'released')
BEGIN
  INSERT INTO demand_rows
      SELECT created_at, purchase_id, seller_id, buyer_id, vertical_slug, rail, status, class, is_reference,
        amount_cents, platform_fee_cents FROM settled_purchases WHERE purchase_id = NEW.id;
END;
CREATE TRIGGER demand_settled AFTER UPDATE OF status, rail, amount_cents, platform_fee_cents ON purchases
WHEN OLD.status IN ('held', 'releasing', 'released') OR NEW.status IN ('held', 'releasing', 'released')
BEGIN
  DELETE FROM demand_rows WHERE created_at = OLD.created_at AND purchase_id = OLD.id
    AND NEW.status NOT IN ('held', 'releasing', 'released');
  INSERT INTO demand_rows
      SELECT created_at, purchase_id, seller_id, buyer_id, vertical_slug, rail, status, class, is_reference,
        amount_cents, platform_fee_cents FROM settled_purchases WHERE purchase_id = NEW.id
    ON CONFLICT DO UPDATE SET rail = excluded.rail, status = excluded.status, class = excluded.class,
      amount_cents = excluded.amount_cents, platform_fee_cents = excluded.platform_fee_cents;
END;
CREATE TRIGGER demand_designated AFTER INSERT ON party_designations BEGIN
  UPDATE demand_rows SET class = told.class FROM settled_purchases AS told
    WHERE told.seller_id = NEW.agent_id AND demand_rows.created_at = told.created_at
      AND demand_rows.purchase_id = told.purchase_id AND demand_rows.class <> told.class;
  UPDATE demand_rows SET class = told.class FROM settled_purchases AS told
    WHERE told.buyer_id = NEW.agent_id AND demand_rows.created_at = told.created_at
      AND demand_rows.purchase_id = told.purchase_id AND demand_rows.class <> told.class;
END;
CREATE TRIGGER demand_redesignated AFTER UPDATE OF party ON party_designations WHEN NEW.party <> OLD.party BEGIN
  UPDATE demand_rows SET class = told.class FROM settled_purchases AS told
    WHERE told.seller_id = NEW.agent_id AND demand_rows.created_at = told.created_at
      AND demand_rows.purchase_id = told.purchase_id AND demand_rows.class <> told.class;
  UPDATE demand_rows SET class = told.class FROM settled_purchases AS told
    WHERE told.buyer_id = NEW.agent_id AND demand_rows.created_at = told.created_at
      AND demand_rows.purchase_id = told.purchase_id AND demand_rows.class <> told.class;
END;
CREATE TRIGGER demand_undesignated AFTER DELETE ON party_designations BEGIN
  UPDATE demand_rows SET class = told.class FROM settled_purchases AS told
    WHERE told.seller_id = OLD.agent_id AND demand_rows.created_at = told.created_at
      AND demand_rows.purchase_id = told.purchase_id AND demand_rows.class <> told.class;
  UPDATE demand_rows SET class = told.class FROM settled_purchases AS told
    WHERE told.buyer_id = OLD.agent_id AND demand_rows.created_at = told.created_at
      AND demand_rows.purchase_id = told.purchase_id AND demand_rows.class <> told.class;
END;
CREATE TRIGGER health_purchases_attested BEFORE INSERT ON purchases
WHEN (NEW.health_attestation IS NULL OR NEW.rail = 'x402')
  AND EXISTS (SELECT 1 FROM listings WHERE id = NEW.listing_id AND vertical_slug = 'personal-health')
BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: health_purchase');
END;
CREATE TRIGGER usdc_payments_given_up AFTER UPDATE OF status ON purchases
WHEN OLD.status = 'authorized' AND NEW.status IN ('failed', 'refunded', 'expired')
  AND NOT EXISTS (SELECT 1 FROM payments WHERE purchase_id = NEW.id AND captured_cents > 0)
BEGIN
  -- Once it has expired, and its block has others upon it; those that are good for ages a day after they came.
  UPDATE usdc_payments SET is_live = 0, check_at = MIN(
      strftime('%Y-%m-%dT%H:%M:%fZ', NEW.created_at, '+1 day'),
      strftime('%Y-%m-%dT%H:%M:%fZ', CAST(CASE WHEN length(valid_before) <= 10 THEN valid_before ELSE '9999999999' END
        AS INTEGER), 'unixepoch', '+10 minutes'))
    WHERE purchase_id = NEW.id;
END;
CREATE TRIGGER purchases_way BEFORE UPDATE OF status ON purchases
WHEN NEW.status <> OLD.status AND NOT (
  (OLD.status = 'pending_payment' AND NEW.status IN ('authorized', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status IN ('held', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status = 'released' AND NEW.amount_cents = 0)
  OR (OLD.status = 'held' AND NEW.status IN ('releasing', 'refunded'))
  OR (OLD.status = 'releasing' AND NEW.status IN ('released', 'held'))
  OR (OLD.status IN ('failed', 'expired') AND NEW.status = 'refunded'
    AND EXISTS (SELECT 1 FROM usdc_payments WHERE purchase_id = NEW.id)))
BEGIN
  SELECT RAISE(ABORT, 'guard purchase_way');
END;
