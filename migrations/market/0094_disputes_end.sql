-- A dispute that nobody decides ends by a rule; a buyer whose disputes are rejected has fewer open at once.

-- Null: bought without a key.
ALTER TABLE disputes ADD COLUMN buyer_id TEXT;
UPDATE disputes SET buyer_id = (SELECT buyer_id FROM purchases WHERE id = purchase_id);
-- When the rule decides; NULL: the operator alone does, as of a refund that failed or a transfer that was taken back.
ALTER TABLE disputes ADD COLUMN decide_by TEXT;
UPDATE disputes SET decide_by = strftime('%Y-%m-%dT%H:%M:%fZ', opened_at, '+14 days')
  WHERE decision IS NULL
    AND NOT EXISTS (SELECT 1 FROM payments WHERE payments.purchase_id = disputes.purchase_id AND refund_failures > 0)
    AND NOT EXISTS (SELECT 1 FROM transfers WHERE transfers.purchase_id = disputes.purchase_id AND returns > 0);
-- NULL: open; or nobody had to, as the money was taken back outside.
ALTER TABLE disputes ADD COLUMN decided_by TEXT CHECK (decided_by IN ('operator', 'rule'));
UPDATE disputes SET decided_by = 'operator' WHERE decision IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payments
  WHERE payments.purchase_id = disputes.purchase_id AND refund_reason IN ('chargeback', 'refunded_elsewhere'));
CREATE INDEX disputes_undecided ON disputes (decide_by, purchase_id) WHERE decision IS NULL AND decide_by IS NOT NULL;
CREATE INDEX disputes_waiting ON disputes (COALESCE(decide_by, opened_at), purchase_id) WHERE decision IS NULL;
CREATE INDEX disputes_by_buyer ON disputes (buyer_id, decided_at);
