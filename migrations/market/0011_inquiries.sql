-- Letters to the people who run the marketplace, their answers, ideas, and the mail that goes out.

-- A mail is a row from the moment that what it tells of is true. It goes out once for what it is about.
CREATE TABLE mail_outbox (
  purpose TEXT NOT NULL CHECK (purpose IN ('inquiry_reply', 'purchase_receipt', 'claim_link')),
  -- The id of what it is about: a message of an inquiry, a purchase, a seller.
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
  PRIMARY KEY (purpose, reference),
  CHECK ((subject IS NULL) = (text IS NULL)),
  CONSTRAINT over_in_one_way CHECK (sent_at IS NULL OR failed_at IS NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at)
  WHERE sent_at IS NULL AND failed_at IS NULL AND text IS NOT NULL;
CREATE INDEX mail_outbox_unwritten ON mail_outbox (purpose, created_at) WHERE text IS NULL;
CREATE INDEX mail_outbox_by_age ON mail_outbox (created_at DESC);

-- A receipt for money goes to the address that was given with the purchase, once something was delivered.
CREATE TRIGGER purchases_receipt_mailed AFTER UPDATE OF delivered_at ON purchases
  WHEN NEW.delivered_at IS NOT NULL AND OLD.delivered_at IS NULL AND NEW.email IS NOT NULL
    AND length(NEW.email) BETWEEN 3 AND 254 AND NEW.amount_cents > 0
BEGIN
  INSERT INTO mail_outbox (purpose, reference, recipient, created_at)
    VALUES ('purchase_receipt', NEW.id, NEW.email, NEW.delivered_at) ON CONFLICT DO NOTHING;
END;

CREATE TABLE inquiries (
  -- Whoever knows it reads the thread and writes to it.
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  subject TEXT NOT NULL CHECK (length(subject) BETWEEN 1 AND 200),
  category TEXT NOT NULL CHECK (length(category) BETWEEN 1 AND 64),
  name TEXT CHECK (length(name) BETWEEN 1 AND 200),
  email TEXT CHECK (length(email) <= 254),
  submitted_by TEXT NOT NULL CHECK (length(submitted_by) BETWEEN 1 AND 200),
  -- The agent whose key came with it, who is told of replies.
  agent_id TEXT REFERENCES agents (id) ON DELETE SET NULL,
  -- Who is to write next. A thread past its closes_at is closed, whatever stands here.
  status TEXT NOT NULL CHECK (status IN ('open', 'awaiting_inquirer', 'closed')),
  message_count INTEGER NOT NULL CHECK (message_count BETWEEN 1 AND 200),
  closes_at TEXT NOT NULL,
  closes_at_set_by TEXT NOT NULL CHECK (closes_at_set_by IN ('policy', 'team')),
  closed_by TEXT CHECK (closed_by IN ('policy', 'team')),
  closed_reason TEXT CHECK (length(closed_reason) BETWEEN 1 AND 1000),
  closed_at TEXT,
  created_at TEXT NOT NULL,
  CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
  CHECK ((closed_at IS NULL) = (closed_by IS NULL)),
  CHECK ((closed_at IS NULL) = (closed_reason IS NULL))
) STRICT;
CREATE INDEX inquiries_by_age ON inquiries (created_at DESC, id);
CREATE INDEX inquiries_closing ON inquiries (closes_at) WHERE status <> 'closed';
CREATE INDEX inquiries_of_agent ON inquiries (agent_id) WHERE agent_id IS NOT NULL;

CREATE TABLE inquiry_messages (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  inquiry_id TEXT NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 200),
  author TEXT NOT NULL CHECK (author IN ('team', 'inquirer')),
  author_name TEXT CHECK (length(author_name) BETWEEN 1 AND 200),
  body TEXT NOT NULL CHECK (length(body) BETWEEN 1 AND 10000),
  email_status TEXT NOT NULL DEFAULT 'none' CHECK (email_status IN ('none', 'queued', 'sent', 'failed')),
  created_at TEXT NOT NULL,
  UNIQUE (inquiry_id, position)
) STRICT;

-- How the mail of a reply went, for as long as the reply is kept.
CREATE TRIGGER mail_outbox_ended AFTER UPDATE OF sent_at, failed_at ON mail_outbox
  WHEN NEW.purpose = 'inquiry_reply'
BEGIN
  UPDATE inquiry_messages SET email_status = CASE WHEN NEW.sent_at IS NOT NULL THEN 'sent'
    WHEN NEW.failed_at IS NOT NULL THEN 'failed' ELSE email_status END WHERE id = NEW.reference;
END;

CREATE TABLE inquiry_attachments (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  inquiry_id TEXT NOT NULL REFERENCES inquiries (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL REFERENCES inquiry_messages (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 5),
  filename TEXT NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
  content_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes BETWEEN 1 AND 4194304),
  -- Where its bytes lie.
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  UNIQUE (message_id, position)
) STRICT;
CREATE INDEX inquiry_attachments_of_inquiry ON inquiry_attachments (inquiry_id);
CREATE INDEX inquiry_attachments_of_object ON inquiry_attachments (sha256);

-- Written before bytes are kept, deleted with the rows that own them: what is left is nobody's. While one is
-- being removed, nobody begins to keep the same bytes.
CREATE TABLE attachment_uploads (
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  -- The message that they are meant for.
  message_id TEXT NOT NULL CHECK (length(message_id) = 36),
  started_at TEXT NOT NULL,
  is_removing INTEGER NOT NULL DEFAULT 0 CHECK (is_removing IN (0, 1)),
  PRIMARY KEY (sha256, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachment_uploads_by_age ON attachment_uploads (started_at);

CREATE TABLE ideas (
  id TEXT PRIMARY KEY CHECK (length(id) = 36),
  title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  description TEXT NOT NULL CHECK (length(description) BETWEEN 1 AND 10000),
  category TEXT CHECK (length(category) BETWEEN 1 AND 64),
  submitted_by TEXT CHECK (length(submitted_by) BETWEEN 1 AND 200),
  impact TEXT CHECK (length(impact) BETWEEN 1 AND 2000),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX ideas_by_age ON ideas (created_at DESC, id);
