-- Whether a buyer or a bank disputes a sale or did: its seller lists these without reading all that it sold.
ALTER TABLE purchases ADD COLUMN is_disputed INTEGER NOT NULL DEFAULT 0 CHECK (is_disputed IN (0, 1));
UPDATE purchases SET is_disputed = 1
  WHERE id IN (SELECT purchase_id FROM disputes UNION SELECT purchase_id FROM chargebacks WHERE purchase_id IS NOT NULL);
CREATE TRIGGER disputes_of_purchases AFTER INSERT ON disputes
BEGIN
  UPDATE purchases SET is_disputed = 1 WHERE id = NEW.purchase_id AND is_disputed = 0;
END;
CREATE TRIGGER chargebacks_of_purchases AFTER INSERT ON chargebacks WHEN NEW.purchase_id IS NOT NULL
BEGIN
  UPDATE purchases SET is_disputed = 1 WHERE id = NEW.purchase_id AND is_disputed = 0;
END;
CREATE INDEX purchases_disputed_of_seller ON purchases (seller_id, created_at, id)
  WHERE is_disputed = 1 AND created_at > '';
