-- The demand ledger tells sales within one party apart, and calls those at arm's length that two more parties vouch for.
DROP VIEW settled_purchases;
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
    WHEN pair.is_same_party = 1 THEN 'self_sale'
    WHEN p.buyer_id IS NULL THEN 'anonymous'
    WHEN pair.has_other_seller = 1 AND pair.has_other_buyer = 1 THEN 'arms_length'
    ELSE 'apart'
  END AS class
FROM purchases AS p
  CROSS JOIN listings AS l ON l.id = p.listing_id
  CROSS JOIN agents AS s ON s.id = p.seller_id
  LEFT JOIN agents AS b ON b.id = p.buyer_id
  LEFT JOIN party_designations AS sd ON sd.agent_id = p.seller_id
  LEFT JOIN party_designations AS bd ON bd.agent_id = p.buyer_id
  LEFT JOIN seller_buyers AS pair ON pair.seller_id = p.seller_id
    AND pair.buyer = COALESCE(p.buyer_id, (SELECT payer FROM usdc_payments WHERE usdc_payments.purchase_id = p.id))
WHERE p.status IN ('held', 'releasing', 'released') AND s.is_smoke_test = 0 AND COALESCE(b.is_smoke_test, 0) = 0;

-- A CHECK is changed by making the table anew, and its triggers with it.
CREATE TABLE demand_rows_set_aside AS SELECT * FROM demand_rows;
DROP TABLE demand_rows;
CREATE TABLE demand_rows (
  created_at TEXT NOT NULL,
  purchase_id TEXT NOT NULL,
  seller_id TEXT NOT NULL,
  buyer_id TEXT,
  vertical_slug TEXT NOT NULL,
  rail TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('held', 'releasing', 'released')),
  class TEXT NOT NULL CHECK (class IN ('house_buyer', 'internal', 'house_seller', 'affiliated', 'self_sale', 'anonymous',
    'arms_length', 'apart')),
  is_reference INTEGER NOT NULL CHECK (is_reference IN (0, 1)),
  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
  platform_fee_cents INTEGER NOT NULL CHECK (platform_fee_cents BETWEEN 0 AND amount_cents),
  PRIMARY KEY (created_at, purchase_id)
) STRICT, WITHOUT ROWID;
INSERT INTO demand_rows SELECT created_at, purchase_id, seller_id, buyer_id, vertical_slug, rail, status, class,
  is_reference, amount_cents, platform_fee_cents FROM demand_rows_set_aside;
DROP TABLE demand_rows_set_aside;
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

-- The rows follow what is known of a buyer and a seller.
CREATE TRIGGER demand_related AFTER UPDATE OF is_same_party, has_other_seller, has_other_buyer ON seller_buyers
WHEN (NEW.is_same_party, NEW.has_other_seller, NEW.has_other_buyer)
  <> (OLD.is_same_party, OLD.has_other_seller, OLD.has_other_buyer)
BEGIN
  UPDATE demand_rows SET class = told.class FROM settled_purchases AS told
    WHERE told.purchase_id IN (SELECT id FROM purchases WHERE buyer_id = NEW.buyer AND seller_id = NEW.seller_id
        UNION ALL SELECT purchase_id FROM usdc_payments WHERE payer = NEW.buyer)
      AND told.seller_id = NEW.seller_id AND demand_rows.created_at = told.created_at
      AND demand_rows.purchase_id = told.purchase_id AND demand_rows.class <> told.class;
END;
