-- What a key may spend. A limit holds for the policy and for every policy below it.
CREATE TABLE spend_policies (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES agents (id),
  parent_id TEXT REFERENCES spend_policies (id),
  per_purchase_cents INTEGER CHECK (per_purchase_cents BETWEEN 0 AND 1000000000),
  per_day_cents INTEGER CHECK (per_day_cents BETWEEN 0 AND 100000000000),
  per_week_cents INTEGER CHECK (per_week_cents BETWEEN 0 AND 100000000000),
  per_month_cents INTEGER CHECK (per_month_cents BETWEEN 0 AND 100000000000),
  total_cents INTEGER CHECK (total_cents BETWEEN 0 AND 100000000000),
  approval_above_cents INTEGER CHECK (approval_above_cents BETWEEN 0 AND 1000000000),
  -- JSON arrays; null: any.
  sellers TEXT CHECK (json_type(sellers) = 'array'),
  verticals TEXT CHECK (json_type(verticals) = 'array'),
  rails TEXT CHECK (json_type(rails) = 'array'),
  created_at TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT;
CREATE INDEX spend_policies_of_agent ON spend_policies (agent_id);

-- Each policy with itself and all above it, so that no statement walks up. Triggers keep it.
CREATE TABLE spend_lineages (
  policy_id TEXT NOT NULL REFERENCES spend_policies (id) ON DELETE CASCADE,
  ancestor_id TEXT NOT NULL REFERENCES spend_policies (id) ON DELETE CASCADE,
  depth INTEGER NOT NULL CHECK (depth BETWEEN 0 AND 8),
  PRIMARY KEY (policy_id, ancestor_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX spend_lineages_down ON spend_lineages (ancestor_id);

CREATE TRIGGER spend_policies_descend AFTER INSERT ON spend_policies BEGIN
  INSERT INTO spend_lineages (policy_id, ancestor_id, depth) VALUES (NEW.id, NEW.id, 0);
  INSERT INTO spend_lineages (policy_id, ancestor_id, depth)
    SELECT NEW.id, ancestor_id, depth + 1 FROM spend_lineages WHERE policy_id = NEW.parent_id;
END;
-- A policy that moved below another would take its windows out of those above it.
CREATE TRIGGER spend_policies_stay BEFORE UPDATE OF id, parent_id, agent_id ON spend_policies
WHEN NEW.id <> OLD.id OR NEW.parent_id IS NOT OLD.parent_id OR NEW.agent_id <> OLD.agent_id
BEGIN
  SELECT RAISE(ABORT, 'guard spend_policy_stays');
END;

-- What a key committed itself to: a purchase, or an offer until it is accepted. It counts in the windows of the moment
-- of the commitment, for good.
CREATE TABLE spends (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  policy_id TEXT NOT NULL REFERENCES spend_policies (id),
  cents INTEGER NOT NULL CHECK (cents > 0),
  committed_at TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('reserved', 'spent', 'returned'))
) STRICT;
CREATE INDEX spends_of_policy ON spends (policy_id, committed_at);
CREATE INDEX spends_reserved ON spends (id) WHERE state = 'reserved';

-- Triggers keep it: a window is the sum of the spends of its policy and of all below it, committed to from its first
-- day on. Days are UTC's, weeks begin on Monday, `total` has no beginning.
CREATE TABLE spend_windows (
  policy_id TEXT NOT NULL REFERENCES spend_policies (id) ON DELETE CASCADE,
  period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'total')),
  starts_on TEXT NOT NULL,
  reserved_cents INTEGER NOT NULL CHECK (reserved_cents >= 0),
  spent_cents INTEGER NOT NULL CHECK (spent_cents >= 0),
  PRIMARY KEY (policy_id, period, starts_on)
) STRICT, WITHOUT ROWID;

-- In which windows a spend counts.
CREATE VIEW spend_places AS
  SELECT spends.id, ancestor_id AS policy_id, period, CASE period
      WHEN 'day' THEN date(committed_at)
      WHEN 'week' THEN date(committed_at, 'weekday 0', '-6 days')
      WHEN 'month' THEN date(committed_at, 'start of month')
      ELSE '' END AS starts_on
    FROM spends JOIN spend_lineages ON spend_lineages.policy_id = spends.policy_id
      JOIN (SELECT 'day' AS period UNION ALL SELECT 'week' UNION ALL SELECT 'month' UNION ALL SELECT 'total');

CREATE TRIGGER spends_counted AFTER INSERT ON spends BEGIN
  INSERT INTO spend_windows (policy_id, period, starts_on, reserved_cents, spent_cents)
    SELECT policy_id, period, starts_on, CASE NEW.state WHEN 'reserved' THEN NEW.cents ELSE 0 END,
      CASE NEW.state WHEN 'spent' THEN NEW.cents ELSE 0 END
    FROM spend_places WHERE id = NEW.id
    ON CONFLICT DO UPDATE SET reserved_cents = reserved_cents + excluded.reserved_cents,
      spent_cents = spent_cents + excluded.spent_cents;
END;
CREATE TRIGGER spends_moved AFTER UPDATE OF state ON spends WHEN NEW.state <> OLD.state BEGIN
  UPDATE spend_windows SET
    reserved_cents = reserved_cents + NEW.cents * ((NEW.state = 'reserved') - (OLD.state = 'reserved')),
    spent_cents = spent_cents + NEW.cents * ((NEW.state = 'spent') - (OLD.state = 'spent'))
    WHERE (policy_id, period, starts_on) IN (SELECT policy_id, period, starts_on FROM spend_places WHERE id = NEW.id);
END;
CREATE TRIGGER spends_fixed BEFORE UPDATE OF policy_id, cents, committed_at ON spends
WHEN NEW.policy_id <> OLD.policy_id OR NEW.cents <> OLD.cents OR NEW.committed_at <> OLD.committed_at
BEGIN
  SELECT RAISE(ABORT, 'guard spends_fixed');
END;

-- The one place where a sale's money goes back, on every rail, is its status.
CREATE TRIGGER spends_follow_sales AFTER UPDATE OF status ON purchases WHEN NEW.status <> OLD.status BEGIN
  UPDATE spends SET state = CASE
      WHEN NEW.status IN ('failed', 'expired', 'refunded') THEN 'returned'
      WHEN NEW.status IN ('pending_payment', 'authorized') THEN 'reserved'
      ELSE 'spent' END
    WHERE id = NEW.id;
END;
CREATE TRIGGER spends_follow_offers AFTER UPDATE OF status ON offers WHEN NEW.status = 'declined' BEGIN
  UPDATE spends SET state = 'returned' WHERE id = NEW.id AND state = 'reserved';
END;
