-- What a refund leaves over that does not fit under the cap of a wallet is kept in an account of its own.
CREATE TRIGGER refund_credits_not_overdrawn BEFORE UPDATE OF balance_cents ON ledger_accounts
WHEN NEW.account GLOB 'refund_credit:*' AND NEW.balance_cents < 0
BEGIN
  SELECT RAISE(ABORT, 'guard refund_credit_not_overdrawn');
END;

-- The cap counts what is reserved and not delivered yet; sales in escrow do not count.
CREATE INDEX purchases_reserved_of_wallet ON purchases (buyer_id, amount_cents)
  WHERE rail = 'wallet' AND status IN ('pending_payment', 'authorized');
DROP INDEX purchases_refundable_to_wallet;

-- Money came back to the refund credit of an agent whose top-up the bank took, as for its wallet (0037).
CREATE TRIGGER refund_credits_recoverable AFTER UPDATE OF balance_cents ON ledger_accounts
WHEN NEW.account GLOB 'refund_credit:*' AND NEW.balance_cents > OLD.balance_cents
BEGIN
  UPDATE chargebacks SET check_at = ''
    WHERE agent_id = substr(NEW.account, 15) AND agent_id IS NOT NULL AND status <> 'won' AND covered_cents < withdrawn_cents;
END;
