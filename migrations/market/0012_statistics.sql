-- What the demand ledger and the statistics tell, kept up by triggers: reading it costs the same however long the
-- ledger is.

-- Whose agent an agent is, where the operator knows it.
CREATE TABLE party_designations (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  party TEXT NOT NULL CHECK (party IN ('house_buyer', 'house_seller', 'internal', 'affiliated')),
  note TEXT CHECK (length(note) BETWEEN 1 AND 500),
  designated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX party_designations_by_age ON party_designations (designated_at DESC, agent_id);

-- Set once the operator says that all agents of its own and all related ones are designated.
CREATE TABLE designation_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  configured_at TEXT
) STRICT;
INSERT INTO designation_state (only) VALUES (1);

-- Every settled purchase with what is told of its parties. `class` is the party of the contract but for two:
-- `anonymous` (nobody can say who bought) and `apart` (nothing known relates the two).
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

-- One row for each, in the order in which the ledger is read, in the vertical in which it was sold.
CREATE TABLE demand_rows (
  created_at TEXT NOT NULL,
  purchase_id TEXT NOT NULL,
  seller_id TEXT NOT NULL,
  buyer_id TEXT,
  vertical_slug TEXT NOT NULL,
  rail TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('held', 'releasing', 'released')),
  class TEXT NOT NULL
    CHECK (class IN ('house_buyer', 'internal', 'house_seller', 'affiliated', 'anonymous', 'apart')),
  is_reference INTEGER NOT NULL CHECK (is_reference IN (0, 1)),
  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
  platform_fee_cents INTEGER NOT NULL CHECK (platform_fee_cents BETWEEN 0 AND amount_cents),
  PRIMARY KEY (created_at, purchase_id)
) STRICT, WITHOUT ROWID;

-- All rows summed up by what totals ask for: a few hundred cells at most.
CREATE TABLE demand_cells (
  rail TEXT NOT NULL,
  status TEXT NOT NULL,
  class TEXT NOT NULL,
  is_reference INTEGER NOT NULL,
  is_paid INTEGER NOT NULL,
  sales INTEGER NOT NULL CHECK (sales >= 0),
  gross_cents INTEGER NOT NULL CHECK (gross_cents >= 0),
  fee_cents INTEGER NOT NULL CHECK (fee_cents BETWEEN 0 AND gross_cents),
  PRIMARY KEY (rail, status, class, is_reference, is_paid)
) STRICT, WITHOUT ROWID;

-- Who has a part in any row, so that the distinct ones can be counted as they come and go.
CREATE TABLE demand_parties (
  role TEXT NOT NULL CHECK (role IN ('buyer', 'seller')),
  agent_id TEXT NOT NULL,
  sales INTEGER NOT NULL CHECK (sales >= 0),
  PRIMARY KEY (role, agent_id)
) STRICT, WITHOUT ROWID;

INSERT INTO totals (name) VALUES ('distinct_buyers'), ('distinct_sellers'), ('escrow_cents');

CREATE TRIGGER demand_parties_came AFTER INSERT ON demand_parties BEGIN
  UPDATE totals SET value = value + 1 WHERE name = 'distinct_' || NEW.role || 's';
END;
CREATE TRIGGER demand_parties_went AFTER UPDATE OF sales ON demand_parties WHEN NEW.sales = 0 BEGIN
  DELETE FROM demand_parties WHERE role = NEW.role AND agent_id = NEW.agent_id;
  UPDATE totals SET value = value - 1 WHERE name = 'distinct_' || NEW.role || 's';
END;

CREATE TRIGGER demand_rows_added AFTER INSERT ON demand_rows BEGIN
  INSERT INTO demand_cells (rail, status, class, is_reference, is_paid, sales, gross_cents, fee_cents)
    VALUES (NEW.rail, NEW.status, NEW.class, NEW.is_reference, NEW.amount_cents > 0, 1, NEW.amount_cents,
      NEW.platform_fee_cents)
    ON CONFLICT DO UPDATE SET sales = sales + 1, gross_cents = gross_cents + excluded.gross_cents,
      fee_cents = fee_cents + excluded.fee_cents;
  INSERT INTO demand_parties (role, agent_id, sales) VALUES ('seller', NEW.seller_id, 1)
    ON CONFLICT DO UPDATE SET sales = sales + 1;
  INSERT INTO demand_parties (role, agent_id, sales) SELECT 'buyer', NEW.buyer_id, 1 WHERE NEW.buyer_id IS NOT NULL
    ON CONFLICT DO UPDATE SET sales = sales + 1;
END;
CREATE TRIGGER demand_rows_changed AFTER UPDATE OF rail, status, class, amount_cents, platform_fee_cents ON demand_rows
BEGIN
  UPDATE demand_cells SET sales = sales - 1, gross_cents = gross_cents - OLD.amount_cents,
      fee_cents = fee_cents - OLD.platform_fee_cents
    WHERE rail = OLD.rail AND status = OLD.status AND class = OLD.class AND is_reference = OLD.is_reference
      AND is_paid = (OLD.amount_cents > 0);
  INSERT INTO demand_cells (rail, status, class, is_reference, is_paid, sales, gross_cents, fee_cents)
    VALUES (NEW.rail, NEW.status, NEW.class, NEW.is_reference, NEW.amount_cents > 0, 1, NEW.amount_cents,
      NEW.platform_fee_cents)
    ON CONFLICT DO UPDATE SET sales = sales + 1, gross_cents = gross_cents + excluded.gross_cents,
      fee_cents = fee_cents + excluded.fee_cents;
END;
CREATE TRIGGER demand_rows_removed AFTER DELETE ON demand_rows BEGIN
  UPDATE demand_cells SET sales = sales - 1, gross_cents = gross_cents - OLD.amount_cents,
      fee_cents = fee_cents - OLD.platform_fee_cents
    WHERE rail = OLD.rail AND status = OLD.status AND class = OLD.class AND is_reference = OLD.is_reference
      AND is_paid = (OLD.amount_cents > 0);
  UPDATE demand_parties SET sales = sales - 1 WHERE role = 'seller' AND agent_id = OLD.seller_id;
  UPDATE demand_parties SET sales = sales - 1 WHERE role = 'buyer' AND agent_id = OLD.buyer_id;
END;

-- The rows follow the purchases whoever writes those.
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
CREATE TRIGGER demand_unsettled AFTER DELETE ON purchases BEGIN
  DELETE FROM demand_rows WHERE created_at = OLD.created_at AND purchase_id = OLD.id;
END;

-- And they follow what is known of the parties.
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

-- What all sellers together have in escrow by the double entries, to hold the rows against.
CREATE TRIGGER ledger_escrow_moved AFTER UPDATE OF balance_cents ON ledger_accounts
WHEN NEW.account GLOB 'escrow:*'
BEGIN
  UPDATE totals SET value = value + NEW.balance_cents - OLD.balance_cents WHERE name = 'escrow_cents';
END;

-- What was there before, by the same triggers.
INSERT INTO demand_rows
  SELECT created_at, purchase_id, seller_id, buyer_id, vertical_slug, rail, status, class, is_reference,
    amount_cents, platform_fee_cents FROM settled_purchases;
UPDATE totals SET value = (SELECT COALESCE(SUM(balance_cents), 0) FROM ledger_accounts WHERE account GLOB 'escrow:*')
  WHERE name = 'escrow_cents';

-- Sales of businesses that are related to the operator, made on their own sites: told apart, never counted.
CREATE TABLE affiliated_merchants (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 100),
  site_origin TEXT NOT NULL CHECK (length(site_origin) <= 255),
  -- Of its paid live receipts.
  receipts INTEGER NOT NULL DEFAULT 0 CHECK (receipts >= 0),
  gross_cents INTEGER NOT NULL DEFAULT 0 CHECK (gross_cents >= 0),
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE affiliated_receipts (
  created_at TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE CHECK (id GLOB 'vps_*' AND length(id) BETWEEN 12 AND 68),
  merchant_id TEXT NOT NULL REFERENCES affiliated_merchants (id),
  -- As the receipt names it, whatever the merchant is called later.
  merchant_name TEXT NOT NULL,
  merchant_site_origin TEXT NOT NULL,
  description TEXT NOT NULL CHECK (length(description) BETWEEN 1 AND 500),
  amount_cents INTEGER NOT NULL CHECK (amount_cents BETWEEN 0 AND 1000000000),
  rail TEXT NOT NULL CHECK (length(rail) BETWEEN 1 AND 32),
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  status TEXT NOT NULL CHECK (status IN ('paid', 'refunded')),
  paid_at TEXT NOT NULL,
  key_id TEXT NOT NULL,
  signed_at TEXT NOT NULL,
  digest TEXT NOT NULL CHECK (digest LIKE 'sha256:%'),
  signature TEXT NOT NULL,
  PRIMARY KEY (created_at, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER affiliated_receipts_counted AFTER INSERT ON affiliated_receipts
WHEN NEW.status = 'paid' AND NEW.mode = 'live'
BEGIN
  UPDATE affiliated_merchants SET receipts = receipts + 1, gross_cents = gross_cents + NEW.amount_cents
    WHERE id = NEW.merchant_id;
END;
-- What was signed stays.
CREATE TRIGGER affiliated_receipts_fixed BEFORE UPDATE ON affiliated_receipts BEGIN
  SELECT RAISE(ABORT, 'guard affiliated_receipts_are_append_only');
END;
CREATE TRIGGER affiliated_receipts_kept BEFORE DELETE ON affiliated_receipts BEGIN
  SELECT RAISE(ABORT, 'guard affiliated_receipts_are_append_only');
END;

-- Smoke-test agents are apart: they deal with each other only, and move no money, so that they can be removed.
CREATE TRIGGER smoke_tests_for_life BEFORE UPDATE OF is_smoke_test ON agents WHEN NEW.is_smoke_test <> OLD.is_smoke_test
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE TRIGGER smoke_tests_trade_apart BEFORE INSERT ON purchases
WHEN (SELECT is_smoke_test FROM agents WHERE id = NEW.seller_id)
    <> COALESCE((SELECT is_smoke_test FROM agents WHERE id = NEW.buyer_id), 0)
  OR (NEW.amount_cents > 0 AND (SELECT is_smoke_test FROM agents WHERE id = NEW.seller_id) = 1)
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE TRIGGER smoke_tests_ask_no_price BEFORE INSERT ON listings
WHEN NEW.price_cents > 0 AND (SELECT is_smoke_test FROM agents WHERE id = NEW.seller_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE TRIGGER smoke_tests_raise_no_price BEFORE UPDATE OF price_cents ON listings
WHEN NEW.price_cents > 0 AND (SELECT is_smoke_test FROM agents WHERE id = NEW.seller_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE TRIGGER smoke_tests_offer_nothing BEFORE INSERT ON offers
WHEN EXISTS (SELECT 1 FROM agents WHERE id IN (NEW.seller_id, NEW.buyer_id) AND is_smoke_test = 1)
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE TRIGGER smoke_tests_fund_nothing BEFORE INSERT ON wallet_top_ups
WHEN (SELECT is_smoke_test FROM agents WHERE id = NEW.agent_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE TRIGGER smoke_tests_save_no_card BEFORE INSERT ON wallet_setups
WHEN (SELECT is_smoke_test FROM agents WHERE id = NEW.agent_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE TRIGGER smoke_tests_are_not_paid BEFORE INSERT ON payout_accounts
WHEN (SELECT is_smoke_test FROM agents WHERE id = NEW.seller_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE TRIGGER smoke_tests_write_apart BEFORE INSERT ON messages
WHEN (SELECT is_smoke_test FROM agents WHERE id = NEW.sender_id)
  <> (SELECT is_smoke_test FROM agents WHERE id = NEW.recipient_id)
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
CREATE INDEX agents_smoke_tests ON agents (created_at DESC, id) WHERE is_smoke_test = 1;
