-- How often rows of a cell came, changed or left: pages of the ledger that name one sum of these are of one state.
ALTER TABLE demand_cells ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER demand_rows_added;
CREATE TRIGGER demand_rows_added AFTER INSERT ON demand_rows BEGIN
  INSERT INTO demand_cells (rail, status, class, is_reference, is_paid, sales, gross_cents, fee_cents, changes)
    VALUES (NEW.rail, NEW.status, NEW.class, NEW.is_reference, NEW.amount_cents > 0, 1, NEW.amount_cents,
      NEW.platform_fee_cents, 1)
    ON CONFLICT DO UPDATE SET sales = sales + 1, gross_cents = gross_cents + excluded.gross_cents,
      fee_cents = fee_cents + excluded.fee_cents, changes = changes + 1;
  INSERT INTO demand_parties (role, agent_id, sales) VALUES ('seller', NEW.seller_id, 1)
    ON CONFLICT DO UPDATE SET sales = sales + 1;
  INSERT INTO demand_parties (role, agent_id, sales) SELECT 'buyer', NEW.buyer_id, 1 WHERE NEW.buyer_id IS NOT NULL
    ON CONFLICT DO UPDATE SET sales = sales + 1;
END;

DROP TRIGGER demand_rows_changed;
CREATE TRIGGER demand_rows_changed AFTER UPDATE OF rail, status, class, amount_cents, platform_fee_cents ON demand_rows
BEGIN
  UPDATE demand_cells SET sales = sales - 1, gross_cents = gross_cents - OLD.amount_cents,
      fee_cents = fee_cents - OLD.platform_fee_cents
    WHERE rail = OLD.rail AND status = OLD.status AND class = OLD.class AND is_reference = OLD.is_reference
      AND is_paid = (OLD.amount_cents > 0);
  INSERT INTO demand_cells (rail, status, class, is_reference, is_paid, sales, gross_cents, fee_cents, changes)
    VALUES (NEW.rail, NEW.status, NEW.class, NEW.is_reference, NEW.amount_cents > 0, 1, NEW.amount_cents,
      NEW.platform_fee_cents, 1)
    ON CONFLICT DO UPDATE SET sales = sales + 1, gross_cents = gross_cents + excluded.gross_cents,
      fee_cents = fee_cents + excluded.fee_cents, changes = changes + 1;
END;

-- A row whose records ended still counts in the sums, and is listed no more.
DROP TRIGGER demand_rows_removed;
CREATE TRIGGER demand_rows_removed AFTER DELETE ON demand_rows
WHEN NOT EXISTS (SELECT 1 FROM ending_records WHERE kind = 'purchase' AND id = OLD.purchase_id)
BEGIN
  UPDATE demand_cells SET sales = sales - 1, gross_cents = gross_cents - OLD.amount_cents,
      fee_cents = fee_cents - OLD.platform_fee_cents, changes = changes + 1
    WHERE rail = OLD.rail AND status = OLD.status AND class = OLD.class AND is_reference = OLD.is_reference
      AND is_paid = (OLD.amount_cents > 0);
  UPDATE demand_parties SET sales = sales - 1 WHERE role = 'seller' AND agent_id = OLD.seller_id;
  UPDATE demand_parties SET sales = sales - 1 WHERE role = 'buyer' AND agent_id = OLD.buyer_id;
END;
CREATE TRIGGER demand_rows_ended AFTER DELETE ON demand_rows
WHEN EXISTS (SELECT 1 FROM ending_records WHERE kind = 'purchase' AND id = OLD.purchase_id)
BEGIN
  UPDATE demand_cells SET changes = changes + 1
    WHERE rail = OLD.rail AND status = OLD.status AND class = OLD.class AND is_reference = OLD.is_reference
      AND is_paid = (OLD.amount_cents > 0);
END;
