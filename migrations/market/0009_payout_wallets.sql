-- Sellers paid in USDC: where, proved by a signature, and what was sent there.
CREATE TABLE payout_wallets (
  seller_id TEXT PRIMARY KEY REFERENCES sellers (agent_id) ON DELETE CASCADE,
  chain_id INTEGER NOT NULL,
  address TEXT NOT NULL CHECK (length(address) = 42 AND address GLOB '0x*' AND address = lower(address)),
  bound_at TEXT NOT NULL
) STRICT;

-- What a seller was asked to sign. Each is good once.
CREATE TABLE payout_challenges (
  nonce TEXT PRIMARY KEY CHECK (length(nonce) = 32),
  seller_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  chain_id INTEGER NOT NULL,
  address TEXT NOT NULL CHECK (length(address) = 42),
  message TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT;
CREATE INDEX payout_challenges_ended ON payout_challenges (expires_at);

-- One transfer of USDC for all of a seller's sales that were due at one time. Its id is the reference under
-- which the chain is asked, so that asking again never pays twice.
CREATE TABLE payout_batches (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id),
  chain_id INTEGER NOT NULL,
  address TEXT NOT NULL CHECK (length(address) = 42),
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('sending', 'paid', 'refused')),
  -- What was last said to carry it; once paid, what did.
  transaction_hash TEXT CHECK (length(transaction_hash) = 66),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at TEXT,
  created_at TEXT NOT NULL,
  ended_at TEXT,
  CONSTRAINT due_while_sending CHECK ((status = 'sending') = (due_at IS NOT NULL)),
  CONSTRAINT ended_as_a_whole CHECK ((status = 'sending') = (ended_at IS NULL)),
  CONSTRAINT paid_by_a_transaction CHECK (status <> 'paid' OR transaction_hash IS NOT NULL)
) STRICT;
CREATE INDEX payout_batches_due ON payout_batches (due_at) WHERE status = 'sending';
CREATE INDEX payout_batches_of_seller ON payout_batches (seller_id, created_at DESC);

-- Set while a sale is paid out in USDC, and after.
ALTER TABLE payments ADD COLUMN payout_batch_id TEXT REFERENCES payout_batches (id);
CREATE INDEX payments_of_batch ON payments (payout_batch_id) WHERE payout_batch_id IS NOT NULL;

CREATE TRIGGER smoke_tests_bind_no_wallet BEFORE INSERT ON payout_wallets
WHEN (SELECT is_smoke_test FROM agents WHERE id = NEW.seller_id) = 1
BEGIN
  SELECT RAISE(ABORT, 'guard smoke_test_isolated');
END;
