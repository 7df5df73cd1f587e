-- What buyers' banks may take back is paid to a seller up to a limit at a time; the rest is kept for some weeks.

-- 0: nobody can take back what paid for the sale, as on chain.
ALTER TABLE payments ADD COLUMN is_revocable INTEGER NOT NULL DEFAULT 1 CHECK (is_revocable IN (0, 1));
UPDATE payments SET is_revocable = 0 WHERE payer_account = 'usdc_clearing';
-- Until when the seller's share is kept, its time in escrow being over. NULL: it is not kept.
ALTER TABLE payments ADD COLUMN reserve_until TEXT;

-- What each seller was sent of such sales, by the day on which their time in escrow ended, and what banks disputed of
-- them (not what finance refunded itself). Triggers keep it, so that a payout does not add up the sales of weeks.
CREATE TABLE payout_totals (
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  sent_cents INTEGER NOT NULL DEFAULT 0,
  disputed_cents INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (seller_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO payout_totals (seller_id, day, sent_cents)
  SELECT seller_id, date(hold_until), SUM(transferred_cents) FROM payments JOIN purchases ON id = purchase_id
  WHERE is_revocable AND transferred_cents > 0 AND hold_until IS NOT NULL GROUP BY seller_id, date(hold_until);
INSERT INTO payout_totals (seller_id, day, disputed_cents)
  SELECT seller_id, date(opened_at), SUM(chargebacks.amount_cents) FROM chargebacks JOIN purchases ON id = purchase_id
  WHERE chargebacks.status <> 'won' AND dispute_id NOT LIKE 'refund:%' GROUP BY seller_id, date(opened_at)
  ON CONFLICT DO UPDATE SET disputed_cents = excluded.disputed_cents;

-- What was kept is paid when no bank is expected to take it back any more: it counts as of the day before, and so takes
-- up no room.
CREATE TRIGGER payout_totals_sent AFTER UPDATE OF transferred_cents ON payments
WHEN NEW.is_revocable AND NEW.transferred_cents <> OLD.transferred_cents AND NEW.hold_until IS NOT NULL
BEGIN
  INSERT INTO payout_totals (seller_id, day, sent_cents)
    SELECT seller_id, date(NEW.hold_until, iif(COALESCE(OLD.reserve_until, NEW.reserve_until) IS NULL, '+0 days', '-1 days')),
      NEW.transferred_cents - OLD.transferred_cents FROM purchases WHERE id = NEW.purchase_id
    ON CONFLICT DO UPDATE SET sent_cents = sent_cents + excluded.sent_cents;
END;
CREATE TRIGGER payout_totals_disputed AFTER INSERT ON chargebacks
WHEN NEW.purchase_id IS NOT NULL AND NEW.status <> 'won' AND NEW.dispute_id NOT LIKE 'refund:%'
BEGIN
  INSERT INTO payout_totals (seller_id, day, disputed_cents)
    SELECT seller_id, date(NEW.opened_at), NEW.amount_cents FROM purchases WHERE id = NEW.purchase_id
    ON CONFLICT DO UPDATE SET disputed_cents = disputed_cents + excluded.disputed_cents;
END;
CREATE TRIGGER payout_totals_judged AFTER UPDATE OF status ON chargebacks
WHEN NEW.purchase_id IS NOT NULL AND (NEW.status = 'won') <> (OLD.status = 'won')
  AND NEW.dispute_id NOT LIKE 'refund:%'
BEGIN
  INSERT INTO payout_totals (seller_id, day, disputed_cents)
    SELECT seller_id, date(NEW.opened_at), iif(NEW.status = 'won', -OLD.amount_cents, NEW.amount_cents)
    FROM purchases WHERE id = NEW.purchase_id
    ON CONFLICT DO UPDATE SET disputed_cents = disputed_cents + excluded.disputed_cents;
END;

CREATE INDEX purchases_held_of_seller ON purchases (seller_id) WHERE status = 'held' AND amount_cents > 0;
