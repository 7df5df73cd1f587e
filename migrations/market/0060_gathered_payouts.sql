-- Small payouts in USDC wait for more, until the transfer covers its gas.

CREATE TABLE gathered_sales (
  purchase_id TEXT PRIMARY KEY REFERENCES purchases (id),
  seller_id TEXT NOT NULL,
  -- When the seller's share goes at the latest.
  waits_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX gathered_sales_of_seller ON gathered_sales (seller_id, waits_until);

-- However it leaves escrow, it does not wait any more.
CREATE TRIGGER purchases_gathered AFTER UPDATE OF status ON purchases WHEN OLD.status = 'held' AND NEW.status <> 'held'
BEGIN
  DELETE FROM gathered_sales WHERE purchase_id = NEW.id;
END;
