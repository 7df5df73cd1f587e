-- What paid a tab back of which nothing was answered: its sale alone had it.
UPDATE tabs SET return_transaction = (SELECT refund_id FROM payments WHERE payments.purchase_id = tabs.purchase_id)
WHERE tallied_at IS NULL AND return_transaction IS NULL
  AND EXISTS (SELECT 1 FROM purchases WHERE id = tabs.purchase_id AND status = 'refunded');
