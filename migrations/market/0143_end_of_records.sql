-- Records of money end after the years that the operator set. What ends in a run is named first, in the same transaction,
-- and deleted then: guards of what is only ever added to let pass what is named, and nothing else.

-- How far the rows of a table were looked through. They were written in the order of their time.
CREATE TABLE ended_records (
  name TEXT PRIMARY KEY,
  -- Before when, and after which end of the ledger: with another of either they are looked through from the beginning.
  walk TEXT NOT NULL,
  after_row INTEGER NOT NULL CHECK (after_row >= 0)
) STRICT, WITHOUT ROWID;

-- Empty outside such a transaction. Of entries `id` is the last of the run; of an account of the ledger `cents` is what is
-- carried in their place; of a walk where it began.
CREATE TABLE ending_records (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  cents INTEGER,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ending_records_closed BEFORE INSERT ON ending_records
WHEN NEW.kind = 'entries' AND NOT EXISTS (
  SELECT 1 FROM ledger_periods WHERE closed_at IS NOT NULL AND last_entry_id >= CAST(NEW.id AS INTEGER))
BEGIN
  SELECT RAISE(ABORT, 'guard ended_periods_closed');
END;

-- The one posting that holds what accounts had when the entries before ended: an entry for each account that had anything.
DROP TRIGGER ledger_postings_balanced;
CREATE TRIGGER ledger_postings_balanced BEFORE INSERT ON ledger_postings
WHEN NEW.id <> 'carried' AND ((SELECT SUM(value ->> 'amountCents') FROM json_each(NEW.legs)) <> 0
  OR (SELECT COUNT(*) FROM json_each(NEW.legs)) < 2)
BEGIN
  SELECT RAISE(ABORT, 'guard ledger_balanced');
END;
DROP TRIGGER ledger_postings_fixed;
CREATE TRIGGER ledger_postings_fixed BEFORE UPDATE ON ledger_postings
WHEN NEW.id <> 'carried' OR OLD.id <> 'carried' OR NEW.legs <> '[]'
BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
DROP TRIGGER ledger_postings_kept;
CREATE TRIGGER ledger_postings_kept BEFORE DELETE ON ledger_postings
WHEN NOT EXISTS (SELECT 1 FROM ending_records WHERE kind = 'posting' AND id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
DROP TRIGGER ledger_entries_kept;
CREATE TRIGGER ledger_entries_kept BEFORE DELETE ON ledger_entries
WHEN NOT EXISTS (SELECT 1 FROM ending_records WHERE kind = 'entries' AND OLD.id <= CAST(id AS INTEGER))
BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
DROP TRIGGER ledger_adjustments_kept;
CREATE TRIGGER ledger_adjustments_kept BEFORE DELETE ON ledger_adjustments
WHEN NOT EXISTS (SELECT 1 FROM ledger_postings JOIN ending_records ON ending_records.kind = 'posting'
    AND ending_records.id = ledger_postings.id
  WHERE ledger_postings.kind = OLD.kind AND ledger_postings.reference = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'guard ledger_is_append_only');
END;
DROP TRIGGER ledger_periods_kept;
CREATE TRIGGER ledger_periods_kept BEFORE DELETE ON ledger_periods
WHEN NOT EXISTS (SELECT 1 FROM ended_records WHERE name = 'ledger_entries' AND OLD.last_entry_id <= after_row)
BEGIN
  SELECT RAISE(ABORT, 'guard ledger_periods_fixed');
END;

-- What ends is not undone: sums that it was counted in stay.
DROP TRIGGER withholdings_undone;
CREATE TRIGGER withholdings_undone AFTER DELETE ON withholdings
WHEN NOT EXISTS (SELECT 1 FROM ending_records WHERE kind = 'dispute' AND id = OLD.dispute_id)
BEGIN
  UPDATE seller_claims SET withheld_cents = withheld_cents - OLD.cents WHERE dispute_id = OLD.dispute_id;
  UPDATE payments SET withheld_cents = withheld_cents - OLD.cents WHERE purchase_id = OLD.purchase_id;
END;
DROP TRIGGER demand_rows_removed;
CREATE TRIGGER demand_rows_removed AFTER DELETE ON demand_rows
WHEN NOT EXISTS (SELECT 1 FROM ending_records WHERE kind = 'purchase' AND id = OLD.purchase_id)
BEGIN
  UPDATE demand_cells SET sales = sales - 1, gross_cents = gross_cents - OLD.amount_cents,
      fee_cents = fee_cents - OLD.platform_fee_cents
    WHERE rail = OLD.rail AND status = OLD.status AND class = OLD.class AND is_reference = OLD.is_reference
      AND is_paid = (OLD.amount_cents > 0);
  UPDATE demand_parties SET sales = sales - 1 WHERE role = 'seller' AND agent_id = OLD.seller_id;
  UPDATE demand_parties SET sales = sales - 1 WHERE role = 'buyer' AND agent_id = OLD.buyer_id;
END;
-- A day of which nothing is left.
CREATE TRIGGER subsidy_totals_empty AFTER UPDATE OF cents ON subsidy_totals WHEN NEW.cents = 0 BEGIN
  DELETE FROM subsidy_totals WHERE scope = NEW.scope AND day = NEW.day;
END;

-- The newest says up to where the gas of a chain is booked.
CREATE TRIGGER gas_costs_newest BEFORE DELETE ON gas_costs
WHEN OLD.entry_id = (SELECT MAX(entry_id) FROM gas_costs WHERE chain_id = OLD.chain_id)
BEGIN
  SELECT RAISE(IGNORE);
END;

-- Erased accounts whose last records ended as well.
ALTER TABLE erasures ADD COLUMN records_ended_at TEXT;
CREATE INDEX erasures_with_records ON erasures (erased_at) WHERE erased_at IS NOT NULL AND records_ended_at IS NULL;

CREATE TRIGGER demand_parties_ended AFTER UPDATE OF records_ended_at ON erasures WHEN NEW.records_ended_at IS NOT NULL BEGIN
  DELETE FROM demand_parties WHERE role IN ('buyer', 'seller') AND agent_id = NEW.agent_id;
END;

CREATE INDEX spend_policies_of_parent ON spend_policies (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX chargebacks_of_top_up ON chargebacks (top_up_id) WHERE top_up_id IS NOT NULL;
CREATE INDEX compared_objects_by_age ON compared_objects (last_at);
CREATE INDEX chain_transfers_by_age ON chain_transfers (created_at);
CREATE INDEX gas_costs_by_age ON gas_costs (booked_at);
