-- A price per unit: `{"unit", "unitPriceMicros", "maxUnits"}`. A query costs the units that its seller used, at most maxUnits; what
-- that comes to is price_micros. Null: a query has one price.
ALTER TABLE listings ADD COLUMN meter TEXT CHECK (meter IS NULL OR (json_type(meter, '$.unit') IS 'text'
  AND json_type(meter, '$.unitPriceMicros') IS 'integer' AND json_type(meter, '$.maxUnits') IS 'integer'
  AND price_micros IS json_extract(meter, '$.unitPriceMicros') * json_extract(meter, '$.maxUnits')));

-- What is metered is not sold over x402, where all that a payment allows is taken.
DROP INDEX listings_payable;
CREATE INDEX listings_payable ON listings (created_at DESC, id)
  WHERE status = 'active' AND price_cents > 0 AND meter IS NULL AND vertical_slug <> 'personal-health'
    AND (listing_type = 'standard' OR sold_count < COALESCE(max_copies, 1));

-- The units that were charged; null: the query has one price.
ALTER TABLE tab_queries ADD COLUMN units INTEGER CHECK (units >= 1);

-- A query may be charged less than was reserved for it, and never more.
DROP TRIGGER tab_queries_ended;
CREATE TRIGGER tab_queries_ended AFTER UPDATE OF status ON tab_queries WHEN OLD.status = 'reserved' AND NEW.status <> 'reserved' BEGIN
  UPDATE tabs SET reserved_micros = reserved_micros - OLD.price_micros,
    charged_micros = charged_micros + CASE NEW.status WHEN 'charged' THEN NEW.price_micros ELSE 0 END
  WHERE purchase_id = NEW.tab_id;
END;
CREATE TRIGGER tab_queries_priced BEFORE UPDATE OF price_micros ON tab_queries
WHEN NEW.price_micros > OLD.price_micros OR OLD.status <> 'reserved' BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: tab_query_within_reserved');
END;
