-- Accounts that are to be erased. What is left of one that was erased is its id, which names nobody, and this row.
CREATE TABLE erasures (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id),
  -- SHA-256 of the id: what the list of erasures names it by.
  digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
  requested_at TEXT NOT NULL,
  due_at TEXT NOT NULL CHECK (due_at >= requested_at),
  gives_up_balance INTEGER NOT NULL CHECK (gives_up_balance IN (0, 1)),
  cancelled_at TEXT,
  cancelled_by TEXT CHECK (cancelled_by IN ('key', 'link')),
  erased_at TEXT,
  CONSTRAINT cancelled_as_a_whole CHECK ((cancelled_at IS NULL) = (cancelled_by IS NULL)),
  CONSTRAINT over_in_one_way CHECK (cancelled_at IS NULL OR erased_at IS NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX erasures_due ON erasures (due_at) WHERE cancelled_at IS NULL AND erased_at IS NULL;
CREATE INDEX erasures_done ON erasures (erased_at) WHERE erased_at IS NOT NULL;

-- Set while an erasure is due, so that whoever finds a key learns it in the same look-up.
ALTER TABLE agents ADD COLUMN erases_at TEXT;
ALTER TABLE agents ADD COLUMN erased_at TEXT;
CREATE TRIGGER erasures_requested AFTER INSERT ON erasures BEGIN
  UPDATE agents SET erases_at = NEW.due_at WHERE id = NEW.agent_id;
END;
CREATE TRIGGER erasures_changed AFTER UPDATE ON erasures BEGIN
  UPDATE agents SET erases_at = CASE WHEN NEW.cancelled_at IS NULL THEN NEW.due_at END, erased_at = NEW.erased_at
    WHERE id = NEW.agent_id;
END;
CREATE TRIGGER agents_erased AFTER UPDATE OF erased_at ON agents
WHEN NEW.erased_at IS NOT NULL AND OLD.erased_at IS NULL AND OLD.is_smoke_test = 0 BEGIN
  UPDATE totals SET value = value - 1 WHERE name = 'agents';
END;
-- What is erased stays so, except where a backup of before was restored.
CREATE TRIGGER erasures_kept BEFORE DELETE ON erasures BEGIN
  SELECT RAISE(ABORT, 'guard erasures_kept');
END;

-- Nothing begins with an account that ends, by whatever way: its erasure would have to wait for it.
CREATE TRIGGER purchases_of_open_accounts BEFORE INSERT ON purchases
WHEN (SELECT erases_at FROM agents WHERE id = NEW.seller_id) IS NOT NULL
  OR (NEW.buyer_id IS NOT NULL AND (SELECT erases_at FROM agents WHERE id = NEW.buyer_id) IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'guard listing_still_for_sale');
END;
CREATE TRIGGER listings_of_open_accounts BEFORE UPDATE OF status ON listings
WHEN NEW.status = 'active' AND OLD.status <> 'active'
  AND (SELECT erases_at FROM agents WHERE id = NEW.seller_id) IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'guard listing_unchanged');
END;
