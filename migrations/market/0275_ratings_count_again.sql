-- A refund that was undone, by a bank that decided for the seller or because it failed: the rating of the purchase counts
-- again, unless another bank has taken what was paid.
CREATE TRIGGER ratings_of_restored AFTER UPDATE OF status ON purchases
WHEN OLD.status = 'refunded' AND NEW.status <> 'refunded'
BEGIN
  UPDATE ratings SET is_refunded = 0 WHERE purchase_id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM chargebacks WHERE purchase_id = NEW.id AND status = 'lost');
END;
CREATE TRIGGER ratings_of_won_chargebacks AFTER UPDATE OF status ON chargebacks
WHEN OLD.status = 'lost' AND NEW.status <> 'lost' AND NEW.purchase_id IS NOT NULL
BEGIN
  UPDATE ratings SET is_refunded = 0 WHERE purchase_id = NEW.purchase_id
    AND (SELECT status FROM purchases WHERE id = NEW.purchase_id) <> 'refunded'
    AND NOT EXISTS (SELECT 1 FROM chargebacks WHERE purchase_id = NEW.purchase_id AND status = 'lost');
END;
UPDATE ratings SET is_refunded = 0 WHERE is_refunded = 1
  AND (SELECT status FROM purchases WHERE id = purchase_id) <> 'refunded'
  AND NOT EXISTS (SELECT 1 FROM chargebacks WHERE chargebacks.purchase_id = ratings.purchase_id AND status = 'lost');
