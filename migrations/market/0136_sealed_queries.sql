-- What a purchase without a key asked for is sealed under the link of its page: {"digest", "text"}. What was bought
-- before stays in `query` until its own time is over: the links that were given for it hold nothing to seal it with.
ALTER TABLE purchases ADD COLUMN sealed_query TEXT;

CREATE INDEX purchases_sealed_queries ON purchases (status, delivered_at) WHERE sealed_query IS NOT NULL;

-- It ends with the same events as a query that can be read.
CREATE TRIGGER sealed_queries_ended AFTER UPDATE OF ended_at ON answers WHEN NEW.ended_at IS NOT NULL BEGIN
  UPDATE purchases SET sealed_query = NULL WHERE id = NEW.purchase_id AND sealed_query IS NOT NULL;
END;
CREATE TRIGGER sealed_queries_ended_at_once AFTER INSERT ON answers WHEN NEW.ended_at IS NOT NULL BEGIN
  UPDATE purchases SET sealed_query = NULL WHERE id = NEW.purchase_id AND sealed_query IS NOT NULL;
END;
CREATE TRIGGER sealed_queries_used_up AFTER UPDATE OF redeliveries ON answers
WHEN NEW.redeliveries >= 50 AND NEW.given_at IS NOT NULL BEGIN
  UPDATE purchases SET sealed_query = NULL WHERE id = NEW.purchase_id AND sealed_query IS NOT NULL;
END;
