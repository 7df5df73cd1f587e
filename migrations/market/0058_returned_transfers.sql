-- What others do to the money of a sale at the card processor moves the sale: transfers taken back, payments captured early.

-- Transfers that were taken back from a seller as a whole: their sales are in escrow again, and the next transfer is another.
CREATE TABLE returned_transfers (
  transfer_id TEXT PRIMARY KEY,
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  account_id TEXT,
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  -- The posting that had sent it.
  payout_reference TEXT NOT NULL UNIQUE,
  returned_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- How many of a sale were: postings are told apart by it.
ALTER TABLE transfers ADD COLUMN returns INTEGER NOT NULL DEFAULT 0 CHECK (returns >= 0);
-- When it was booked that the money is captured although nothing was delivered. NULL: a delivery captures it.
ALTER TABLE payments ADD COLUMN set_aside_at TEXT;

CREATE INDEX processor_entries_reversing ON processor_entries (transfer_id) WHERE kind = 'transfer_reversal';
CREATE INDEX processor_entries_of_payment ON processor_entries (payment_id, kind) WHERE payment_id IS NOT NULL;
CREATE INDEX purchases_authorized ON purchases (id) WHERE status = 'authorized' AND amount_cents > 0;

DROP TRIGGER purchases_way;
CREATE TRIGGER purchases_way BEFORE UPDATE OF status ON purchases
WHEN NEW.status <> OLD.status AND NOT (
  (OLD.status = 'pending_payment' AND NEW.status IN ('authorized', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status IN ('held', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status = 'released' AND NEW.amount_cents = 0)
  OR (OLD.status = 'held' AND NEW.status IN ('releasing', 'refunded'))
  OR (OLD.status = 'releasing' AND NEW.status IN ('released', 'held'))
  -- The transfer to the seller was taken back.
  OR (OLD.status = 'released' AND NEW.status = 'held'
    AND EXISTS (SELECT 1 FROM returned_transfers WHERE purchase_id = NEW.id))
  -- The refund failed, or the bank gave back what it had taken.
  OR (OLD.status = 'refunded' AND NEW.status = 'held' AND NEW.delivered_at IS NOT NULL)
  OR (OLD.status IN ('failed', 'expired') AND NEW.status = 'refunded'
    AND EXISTS (SELECT 1 FROM usdc_payments WHERE purchase_id = NEW.id)))
BEGIN
  SELECT RAISE(ABORT, 'guard purchase_way');
END;

-- What a buyer paid its sellers counts once, however often it is sent: it is taken off while it is in escrow again.
CREATE TRIGGER purchases_returned AFTER UPDATE OF status ON purchases
WHEN OLD.status = 'released' AND NEW.status = 'held' AND NEW.amount_cents > 0
  AND (SELECT class FROM settled_purchases WHERE purchase_id = NEW.id)
    IN ('apart', 'anonymous', 'self_sale', 'arms_length')
BEGIN
  UPDATE paying_buyers SET released_cents = released_cents - NEW.amount_cents
    WHERE buyer = (SELECT buyer FROM purchase_buyers WHERE purchase_id = NEW.id)
      AND NOT EXISTS (SELECT 1 FROM seller_buyers AS this
        WHERE this.seller_id = NEW.seller_id AND this.buyer = paying_buyers.buyer AND is_same_party = 1);
  UPDATE seller_buyers SET released_cents = released_cents - NEW.amount_cents, is_weighed = 0
    WHERE seller_id = NEW.seller_id AND buyer = (SELECT buyer FROM purchase_buyers WHERE purchase_id = NEW.id);
END;
