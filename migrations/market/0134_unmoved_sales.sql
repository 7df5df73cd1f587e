-- Sales in escrow that no clock is to look at, and orders that wait for their shipment: the list of what is overdue finds
-- among them what nothing will move.
CREATE INDEX payments_unmoved ON payments (captured_at, purchase_id)
  WHERE captured_cents > 0 AND refunded_at IS NULL AND transferred_cents = 0 AND (due_at IS NULL OR hold_until IS NULL);
