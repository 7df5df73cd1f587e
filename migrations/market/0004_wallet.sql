-- Wallets: how an agent's prepaid balance is filled. The balance itself is an account of the ledger.
CREATE TABLE wallets (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id),
  -- The card processor's customer.
  customer_id TEXT UNIQUE,
  -- All top-ups that were ever paid, so that reading it does not scan them.
  funded_cents INTEGER NOT NULL DEFAULT 0 CHECK (funded_cents >= 0),

  card_payment_method_id TEXT,
  card_brand TEXT,
  card_last4 TEXT,
  card_exp_month INTEGER,
  card_exp_year INTEGER,
  -- When the setup that saved it was begun: an older one does not replace a newer card.
  card_setup_at TEXT,

  auto_recharge_enabled INTEGER NOT NULL DEFAULT 0 CHECK (auto_recharge_enabled IN (0, 1)),
  threshold_cents INTEGER NOT NULL DEFAULT 500 CHECK (threshold_cents BETWEEN 1 AND 50000),
  recharge_amount_cents INTEGER NOT NULL DEFAULT 2000 CHECK (recharge_amount_cents BETWEEN 1000 AND 50000),
  -- due: the balance is below the threshold. charging: one top-up by the saved card is under way.
  recharge_state TEXT NOT NULL DEFAULT 'idle' CHECK (recharge_state IN ('idle', 'due', 'charging')),
  -- Not before then; null: at once.
  recharge_at TEXT,
  -- Refusals of the card in a row.
  recharge_failures INTEGER NOT NULL DEFAULT 0 CHECK (recharge_failures >= 0),
  -- Why the last attempt failed; with auto-recharge off, why it was turned off.
  recharge_problem TEXT,

  CHECK (auto_recharge_enabled = 0 OR (card_payment_method_id IS NOT NULL AND customer_id IS NOT NULL)),
  CHECK ((card_payment_method_id IS NULL) = (card_setup_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX wallets_due ON wallets (recharge_at) WHERE recharge_state = 'due';

-- That a recharge is due is a row before anybody acts on it, whoever moved the money.
CREATE TRIGGER wallets_fell_below AFTER UPDATE OF balance_cents ON ledger_accounts
WHEN NEW.account GLOB 'wallet:*' AND NEW.balance_cents < OLD.balance_cents
BEGIN
  UPDATE wallets SET recharge_state = 'due'
    WHERE agent_id = substr(NEW.account, 8) AND auto_recharge_enabled = 1 AND recharge_state = 'idle'
      AND threshold_cents > NEW.balance_cents;
END;

-- Pages where a person saves a card.
CREATE TABLE wallet_setups (
  session_id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES wallets (agent_id),
  customer_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE wallet_top_ups (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  agent_id TEXT NOT NULL REFERENCES wallets (agent_id),
  amount_cents INTEGER NOT NULL CHECK (amount_cents BETWEEN 1000 AND 50000),
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'expired', 'failed')),
  source TEXT NOT NULL CHECK (source IN ('checkout', 'auto_recharge')),
  -- The charge of the saved card, to the letter: a lost answer is asked for again under the same key.
  charge TEXT CHECK (json_type(charge) = 'object'),
  -- The page where it can be paid. Until it is known here nobody was given its address.
  session_id TEXT UNIQUE,
  checkout_url TEXT,
  payment_id TEXT UNIQUE,
  -- Why it failed: the processor's code, or ours.
  failure TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- When the job that runs every minute looks at it, while it is open.
  look_at TEXT NOT NULL,
  CHECK ((source = 'auto_recharge') = (charge IS NOT NULL)),
  CHECK (status <> 'paid' OR payment_id IS NOT NULL),
  CHECK ((status = 'failed') = (failure IS NOT NULL))
) STRICT;
CREATE INDEX wallet_top_ups_open ON wallet_top_ups (agent_id) WHERE status = 'open';
CREATE INDEX wallet_top_ups_to_look_at ON wallet_top_ups (look_at) WHERE status = 'open';
-- One recharge at a time.
CREATE UNIQUE INDEX wallet_top_ups_recharging ON wallet_top_ups (agent_id)
  WHERE status = 'open' AND source = 'auto_recharge';

-- Wallet purchases that may still come back: they count against the wallet's cap.
CREATE INDEX purchases_refundable_to_wallet ON purchases (buyer_id, amount_cents)
  WHERE rail = 'wallet' AND status IN ('pending_payment', 'authorized', 'held', 'releasing');
