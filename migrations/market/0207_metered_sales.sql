-- How a sale is priced by units, as its listing said when it was bought. Null: it has one price.
ALTER TABLE payments ADD COLUMN meter TEXT CHECK (meter IS NULL OR json_type(meter) IS 'object');

-- A sale by units is reserved at the most that it may cost, and charged for what was used: its budget follows.
DROP TRIGGER spends_fixed;
CREATE TRIGGER spends_fixed BEFORE UPDATE OF policy_id, cents, committed_at ON spends
WHEN NEW.policy_id <> OLD.policy_id OR NEW.cents > OLD.cents OR NEW.committed_at <> OLD.committed_at
BEGIN
  SELECT RAISE(ABORT, 'guard spends_fixed');
END;
CREATE TRIGGER spends_lowered AFTER UPDATE OF cents ON spends WHEN NEW.cents < OLD.cents BEGIN
  UPDATE spend_windows SET
    reserved_cents = reserved_cents + (NEW.cents - OLD.cents) * (NEW.state = 'reserved'),
    spent_cents = spent_cents + (NEW.cents - OLD.cents) * (NEW.state = 'spent')
    WHERE (policy_id, period, starts_on) IN (SELECT policy_id, period, starts_on FROM spend_places WHERE id = NEW.id);
END;
CREATE TRIGGER spends_follow_prices AFTER UPDATE OF amount_cents ON purchases WHEN NEW.amount_cents < OLD.amount_cents BEGIN
  UPDATE spends SET cents = NEW.amount_cents WHERE id = NEW.id;
END;
