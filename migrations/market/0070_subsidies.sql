-- What payments cost the platform beyond its fee, so that what it bears of them has budgets.
-- `scope`: the budget (`card`), or what one party has of it (`card:` and the agent's id).
CREATE TABLE subsidies (
  purchase_id TEXT NOT NULL REFERENCES purchases (id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  day TEXT NOT NULL,
  cents INTEGER NOT NULL CHECK (cents > 0),
  PRIMARY KEY (purchase_id, scope)
) STRICT, WITHOUT ROWID;

-- Triggers keep it, so that a purchase does not add up the sales of a month.
CREATE TABLE subsidy_totals (
  scope TEXT NOT NULL,
  day TEXT NOT NULL,
  cents INTEGER NOT NULL CHECK (cents >= 0),
  PRIMARY KEY (scope, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER subsidies_taken AFTER INSERT ON subsidies BEGIN
  INSERT INTO subsidy_totals (scope, day, cents) VALUES (NEW.scope, NEW.day, NEW.cents)
    ON CONFLICT DO UPDATE SET cents = cents + excluded.cents;
END;
CREATE TRIGGER subsidies_given_back AFTER DELETE ON subsidies BEGIN
  UPDATE subsidy_totals SET cents = cents - OLD.cents WHERE scope = OLD.scope AND day = OLD.day;
END;
CREATE TRIGGER subsidies_fixed BEFORE UPDATE ON subsidies BEGIN
  SELECT RAISE(ABORT, 'guard subsidies_fixed');
END;
