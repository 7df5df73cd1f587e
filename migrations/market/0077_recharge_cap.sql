-- What auto-recharge may charge a saved card in one calendar month of UTC.
ALTER TABLE wallets ADD COLUMN recharge_month_cents INTEGER NOT NULL DEFAULT 50000
  CHECK (recharge_month_cents BETWEEN 0 AND 1000000);
