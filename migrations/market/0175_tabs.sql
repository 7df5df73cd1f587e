-- Prepaid tabs: a purchase over x402 that is settled before its first answer, and whose queries are counted in micro-units
-- of USDC until it is closed. It is then a sale of what they cost, in whole cents.
CREATE TABLE tabs (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  payer TEXT NOT NULL CHECK (length(payer) = 42 AND payer = lower(payer)),
  chain_id INTEGER NOT NULL,
  -- What was paid.
  limit_micros INTEGER NOT NULL CHECK (limit_micros > 0),
  -- Of queries whose answer is not there yet, and of those that were answered.
  reserved_micros INTEGER NOT NULL DEFAULT 0 CHECK (reserved_micros >= 0),
  charged_micros INTEGER NOT NULL DEFAULT 0 CHECK (charged_micros >= 0),
  -- Of the last voucher: its number, and what it allows in all.
  sequence INTEGER NOT NULL DEFAULT 0 CHECK (sequence >= 0),
  ceiling_micros INTEGER NOT NULL DEFAULT 0,
  -- Set once the chain shows the payment.
  expires_at TEXT,
  -- From here on no voucher is taken.
  closed_at TEXT,
  -- From here on its price is fixed, and what is left goes back.
  tallied_at TEXT,
  rest_cents INTEGER NOT NULL DEFAULT 0 CHECK (rest_cents >= 0),
  -- What went back together, under the id of one of the tabs; `return_gas_cents` is its gas, less which it was sent.
  return_id TEXT,
  return_gas_cents INTEGER CHECK (return_gas_cents >= 0),
  return_transaction TEXT CHECK (length(return_transaction) = 66),
  CONSTRAINT tab_within_ceiling CHECK (charged_micros + reserved_micros <= ceiling_micros),
  CONSTRAINT tab_within_limit CHECK (ceiling_micros <= limit_micros),
  CONSTRAINT tab_tallied_once_closed CHECK (tallied_at IS NULL OR (closed_at IS NOT NULL AND reserved_micros = 0))
) STRICT;
CREATE INDEX tabs_to_return ON tabs (payer, chain_id) WHERE rest_cents > 0 AND return_transaction IS NULL;
CREATE INDEX tabs_open ON tabs (expires_at) WHERE expires_at IS NOT NULL AND tallied_at IS NULL;

-- One query on a tab, by its voucher. What was asked is not kept, only its digest.
CREATE TABLE tab_queries (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  tab_id TEXT NOT NULL REFERENCES tabs (purchase_id),
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  query_digest TEXT NOT NULL CHECK (query_digest LIKE 'sha256:%'),
  price_micros INTEGER NOT NULL CHECK (price_micros >= 100),
  status TEXT NOT NULL DEFAULT 'reserved' CHECK (status IN ('reserved', 'charged', 'released')),
  -- A request answers it until then.
  leased_until TEXT NOT NULL,
  content_digest TEXT CHECK (content_digest LIKE 'sha256:%'),
  receipt TEXT CHECK (json_type(receipt) = 'object'),
  CONSTRAINT tab_query_receipted CHECK ((status = 'charged') = (receipt IS NOT NULL) AND (receipt IS NULL) = (content_digest IS NULL)),
  UNIQUE (tab_id, sequence)
) STRICT;

-- The tab's sums are its queries': no statement can charge the one without the other.
CREATE TRIGGER tab_queries_reserved AFTER INSERT ON tab_queries BEGIN
  UPDATE tabs SET reserved_micros = reserved_micros + NEW.price_micros WHERE purchase_id = NEW.tab_id;
END;
CREATE TRIGGER tab_queries_ended AFTER UPDATE OF status ON tab_queries WHEN OLD.status = 'reserved' AND NEW.status <> 'reserved' BEGIN
  UPDATE tabs SET reserved_micros = reserved_micros - NEW.price_micros,
    charged_micros = charged_micros + CASE NEW.status WHEN 'charged' THEN NEW.price_micros ELSE 0 END
  WHERE purchase_id = NEW.tab_id;
END;
CREATE TRIGGER tab_queries_final BEFORE UPDATE OF status ON tab_queries WHEN OLD.status <> 'reserved' BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: tab_query_final');
END;
