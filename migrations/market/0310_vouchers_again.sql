-- The last voucher of a tab that brought nothing may be sent again: its query is reserved anew, at the price of then.
DROP TRIGGER tab_queries_final;
CREATE TRIGGER tab_queries_final BEFORE UPDATE OF status ON tab_queries
WHEN OLD.status = 'charged' OR (OLD.status = 'released' AND NEW.status <> 'reserved') BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: tab_query_final');
END;
CREATE TRIGGER tab_queries_reserved_again AFTER UPDATE OF status ON tab_queries
WHEN OLD.status = 'released' AND NEW.status = 'reserved' BEGIN
  UPDATE tabs SET reserved_micros = reserved_micros + NEW.price_micros WHERE purchase_id = NEW.tab_id;
END;
DROP TRIGGER tab_queries_priced;
CREATE TRIGGER tab_queries_priced BEFORE UPDATE OF price_micros ON tab_queries
WHEN (OLD.status = 'reserved' AND NEW.price_micros > OLD.price_micros) OR OLD.status = 'charged'
  OR (OLD.status = 'released' AND NEW.status <> 'reserved') BEGIN
  SELECT RAISE(ABORT, 'CHECK constraint failed: tab_query_within_reserved');
END;
