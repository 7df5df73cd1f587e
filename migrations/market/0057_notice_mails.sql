-- Sellers are told by mail of changes that somebody else may have made. A CHECK is changed by making the table anew.
CREATE TABLE mail_outbox_set_aside AS SELECT * FROM mail_outbox;
DROP TABLE mail_outbox;
CREATE TABLE mail_outbox (
  purpose TEXT NOT NULL CHECK (purpose IN ('inquiry_reply', 'purchase_receipt', 'claim_link', 'payout_notice',
    'endpoint_notice')),
  -- The id of what it is about: a message of an inquiry, a purchase, a seller, a seller's notification.
  reference TEXT NOT NULL CHECK (length(reference) = 36),
  recipient TEXT NOT NULL CHECK (length(recipient) BETWEEN 3 AND 254),
  -- NULL until somebody has written it; then it goes out.
  subject TEXT,
  text TEXT,
  created_at TEXT NOT NULL,
  -- Counted as a try begins, so that one that never ends cannot be repeated for ever.
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 8),
  -- Set as a try begins: until then nobody else sends it, and then it is sent again. Empty: at once.
  next_attempt_at TEXT NOT NULL DEFAULT '',
  sent_at TEXT,
  failed_at TEXT,
  -- Mail to an address goes to the same person in any case, and whatever follows a plus sign in its local part.
  person TEXT GENERATED ALWAYS AS (
    lower(CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
      THEN substr(recipient, 1, instr(recipient, '+') - 1) || substr(recipient, instr(recipient, '@'))
      ELSE recipient END)) VIRTUAL,
  PRIMARY KEY (purpose, reference),
  CHECK ((subject IS NULL) = (text IS NULL)),
  CONSTRAINT over_in_one_way CHECK (sent_at IS NULL OR failed_at IS NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO mail_outbox
    (purpose, reference, recipient, subject, text, created_at, attempts, next_attempt_at, sent_at, failed_at)
  SELECT purpose, reference, recipient, subject, text, created_at, attempts, next_attempt_at, sent_at, failed_at
  FROM mail_outbox_set_aside;
DROP TABLE mail_outbox_set_aside;
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at)
  WHERE sent_at IS NULL AND failed_at IS NULL AND text IS NOT NULL;
CREATE INDEX mail_outbox_unwritten ON mail_outbox (purpose, created_at) WHERE text IS NULL;
CREATE INDEX mail_outbox_by_age ON mail_outbox (created_at DESC);
CREATE INDEX mail_outbox_by_person ON mail_outbox (person, purpose, created_at);
-- How the mail of a reply went, for as long as the reply is kept.
CREATE TRIGGER mail_outbox_ended AFTER UPDATE OF sent_at, failed_at ON mail_outbox
  WHEN NEW.purpose = 'inquiry_reply'
BEGIN
  UPDATE inquiry_messages SET email_status = CASE WHEN NEW.sent_at IS NOT NULL THEN 'sent'
    WHEN NEW.failed_at IS NOT NULL THEN 'failed' ELSE email_status END WHERE id = NEW.reference;
END;

-- A change of payouts can be cancelled by the link in its mail.
CREATE TABLE payout_changes_set_aside AS SELECT * FROM payout_changes ORDER BY rowid;
DROP TABLE payout_changes;
CREATE TABLE payout_changes (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  seller_id TEXT NOT NULL REFERENCES sellers (agent_id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('wallet', 'account')),
  -- The address of the wallet, or the id of the account.
  destination TEXT NOT NULL,
  chain_id INTEGER,
  -- What is paid until then; NULL: the seller had none of this kind.
  previous TEXT,
  previous_chain_id INTEGER,
  previous_since TEXT,
  requested_by TEXT NOT NULL CHECK (requested_by IN ('key', 'claim_link')),
  requested_at TEXT NOT NULL,
  effective_at TEXT NOT NULL CHECK (effective_at >= requested_at),
  cancelled_at TEXT CHECK (cancelled_at < effective_at),
  cancelled_by TEXT CHECK (cancelled_by IN ('key', 'wallet', 'mail')),
  -- Set when the seller was told that it took effect.
  announced_at TEXT CHECK (announced_at >= effective_at),
  CONSTRAINT chain_of_wallet CHECK ((kind = 'wallet') = (chain_id IS NOT NULL)),
  CONSTRAINT previous_as_a_whole CHECK ((previous IS NULL) = (previous_since IS NULL)
    AND (previous_chain_id IS NULL OR (kind = 'wallet' AND previous IS NOT NULL))),
  CONSTRAINT cancelled_as_a_whole CHECK ((cancelled_at IS NULL) = (cancelled_by IS NULL)),
  CONSTRAINT over_in_one_way CHECK (cancelled_at IS NULL OR announced_at IS NULL)
) STRICT;
INSERT INTO payout_changes (
    id, seller_id, kind, destination, chain_id, previous, previous_chain_id, previous_since, requested_by,
    requested_at, effective_at, cancelled_at, cancelled_by, announced_at)
  SELECT id, seller_id, kind, destination, chain_id, previous, previous_chain_id, previous_since, requested_by,
    requested_at, effective_at, cancelled_at, cancelled_by, announced_at
  FROM payout_changes_set_aside ORDER BY rowid;
DROP TABLE payout_changes_set_aside;
CREATE INDEX payout_changes_of_seller ON payout_changes (seller_id, effective_at);
CREATE INDEX payout_changes_due ON payout_changes (effective_at) WHERE cancelled_at IS NULL AND announced_at IS NULL;
