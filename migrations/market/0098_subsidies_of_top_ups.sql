-- What credits cost the platform that are bought by card, against budgets of their own.
CREATE TABLE top_up_subsidies (
  top_up_id TEXT NOT NULL REFERENCES wallet_top_ups (id) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  day TEXT NOT NULL,
  cents INTEGER NOT NULL CHECK (cents > 0),
  PRIMARY KEY (top_up_id, scope)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER top_up_subsidies_taken AFTER INSERT ON top_up_subsidies BEGIN
  INSERT INTO subsidy_totals (scope, day, cents) VALUES (NEW.scope, NEW.day, NEW.cents)
    ON CONFLICT DO UPDATE SET cents = cents + excluded.cents;
END;
CREATE TRIGGER top_up_subsidies_given_back AFTER DELETE ON top_up_subsidies BEGIN
  UPDATE subsidy_totals SET cents = cents - OLD.cents WHERE scope = OLD.scope AND day = OLD.day;
END;
CREATE TRIGGER top_up_subsidies_fixed BEFORE UPDATE ON top_up_subsidies BEGIN
  SELECT RAISE(ABORT, 'guard subsidies_fixed');
END;

-- A month is a row of its own (`day` is `2026-11`), so that nobody adds up its days.
INSERT INTO subsidy_totals (scope, day, cents)
  SELECT scope, substr(day, 1, 7), SUM(cents) FROM subsidy_totals GROUP BY scope, substr(day, 1, 7);
CREATE TRIGGER subsidy_months_begun AFTER INSERT ON subsidy_totals WHEN length(NEW.day) = 10 BEGIN
  INSERT INTO subsidy_totals (scope, day, cents) VALUES (NEW.scope, substr(NEW.day, 1, 7), NEW.cents)
    ON CONFLICT DO UPDATE SET cents = cents + excluded.cents;
END;
CREATE TRIGGER subsidy_months_changed AFTER UPDATE OF cents ON subsidy_totals WHEN length(NEW.day) = 10 BEGIN
  UPDATE subsidy_totals SET cents = cents + NEW.cents - OLD.cents
    WHERE scope = NEW.scope AND day = substr(NEW.day, 1, 7);
END;

-- The processor's name of the saved card, so that one card has one budget with whoever saved it.
ALTER TABLE wallets ADD COLUMN card_fingerprint TEXT;
UPDATE wallets SET card_fingerprint = (SELECT substr(MIN(mark), 6) FROM party_marks
    WHERE holder = wallets.agent_id AND mark GLOB 'card:*' HAVING COUNT(*) = 1)
  WHERE card_payment_method_id IS NOT NULL;
