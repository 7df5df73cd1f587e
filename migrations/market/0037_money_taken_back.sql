-- What banks take back, and refunds that are made or fail outside of the marketplace.

-- Of a sale in escrow: what was taken back of the seller's share and of the fee.
ALTER TABLE payments ADD COLUMN taken_net_cents INTEGER NOT NULL DEFAULT 0 CHECK (taken_net_cents >= 0);
ALTER TABLE payments ADD COLUMN taken_fee_cents INTEGER NOT NULL DEFAULT 0 CHECK (taken_fee_cents >= 0);
-- A refund that failed is over: the next one is another and has a key of its own.
ALTER TABLE payments ADD COLUMN refund_failures INTEGER NOT NULL DEFAULT 0 CHECK (refund_failures >= 0);
-- How often the sale came back into escrow after it had been refunded: postings are told apart by it.
ALTER TABLE payments ADD COLUMN restorations INTEGER NOT NULL DEFAULT 0 CHECK (restorations >= 0);

-- Of what a chargeback of a top-up covers, the part that sales in escrow bear; the wallet bears the rest.
ALTER TABLE chargebacks ADD COLUMN escrow_cents INTEGER NOT NULL DEFAULT 0 CHECK (escrow_cents >= 0);
-- Sales in escrow that a disputed top-up paid for: their clock stands still with it.
CREATE TABLE chargeback_shares (
  dispute_id TEXT NOT NULL REFERENCES chargebacks (dispute_id),
  purchase_id TEXT NOT NULL REFERENCES purchases (id),
  -- Of the price, what the bank's money is short of here, and what was taken of that.
  claimed_cents INTEGER NOT NULL CHECK (claimed_cents > 0),
  taken_cents INTEGER NOT NULL DEFAULT 0 CHECK (taken_cents >= 0),
  PRIMARY KEY (dispute_id, purchase_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX chargeback_shares_of_purchase ON chargeback_shares (purchase_id);

CREATE INDEX chargebacks_short ON chargebacks (agent_id)
  WHERE agent_id IS NOT NULL AND status <> 'won' AND covered_cents < withdrawn_cents;
-- Money came back to a wallet whose top-up the bank took: it is looked at before it can be spent again.
CREATE TRIGGER chargebacks_recoverable AFTER UPDATE OF balance_cents ON ledger_accounts
WHEN NEW.account GLOB 'wallet:*' AND NEW.balance_cents > OLD.balance_cents
BEGIN
  UPDATE chargebacks SET check_at = ''
    WHERE agent_id = substr(NEW.account, 8) AND agent_id IS NOT NULL AND status <> 'won' AND covered_cents < withdrawn_cents;
END;

-- Since when an agent buys nothing priced, until an operator lifts it. NULL: it may.
ALTER TABLE agents ADD COLUMN limited_since TEXT;
CREATE TRIGGER purchases_limited BEFORE INSERT ON purchases
WHEN NEW.amount_cents > 0 AND NEW.buyer_id IS NOT NULL
  AND (SELECT limited_since FROM agents WHERE id = NEW.buyer_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard buyer_not_limited');
END;

DROP TRIGGER purchases_way;
CREATE TRIGGER purchases_way BEFORE UPDATE OF status ON purchases
WHEN NEW.status <> OLD.status AND NOT (
  (OLD.status = 'pending_payment' AND NEW.status IN ('authorized', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status IN ('held', 'failed', 'refunded', 'expired'))
  OR (OLD.status = 'authorized' AND NEW.status = 'released' AND NEW.amount_cents = 0)
  OR (OLD.status = 'held' AND NEW.status IN ('releasing', 'refunded'))
  OR (OLD.status = 'releasing' AND NEW.status IN ('released', 'held'))
  -- The refund failed, or the bank gave back what it had taken.
  OR (OLD.status = 'refunded' AND NEW.status = 'held' AND NEW.delivered_at IS NOT NULL)
  OR (OLD.status IN ('failed', 'expired') AND NEW.status = 'refunded'
    AND EXISTS (SELECT 1 FROM usdc_payments WHERE purchase_id = NEW.id)))
BEGIN
  SELECT RAISE(ABORT, 'guard purchase_way');
END;
