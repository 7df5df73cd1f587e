-- NULL: nobody proved that they read mail to the address.
ALTER TABLE agents ADD COLUMN email_verified_at TEXT;
-- NULL: it is the one of the registration.
ALTER TABLE agents ADD COLUMN email_changed_at TEXT;

-- The code has the list of purposes: it grows with every kind of notice. A CHECK is changed by making the table anew.
CREATE TABLE mail_outbox_set_aside AS SELECT * FROM mail_outbox;
DROP TABLE mail_outbox;
CREATE TABLE mail_outbox (
  purpose TEXT NOT NULL CHECK (purpose GLOB '[a-z]*_[a-z]*'),
  -- The id of what it is about: a message of an inquiry, a purchase, a seller, a notification, a link.
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
  -- Mail to an address goes to the same person in any case, whatever follows a plus sign in its local part, and at Gmail
  -- whatever dots it has.
  person TEXT GENERATED ALWAYS AS (
    CASE WHEN lower(substr(recipient, instr(recipient, '@'))) IN ('@gmail.com', '@googlemail.com')
      THEN replace(lower(substr(recipient, 1, CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
        THEN instr(recipient, '+') ELSE instr(recipient, '@') END - 1)), '.', '') || '@gmail.com'
      ELSE lower(CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
        THEN substr(recipient, 1, instr(recipient, '+') - 1) || substr(recipient, instr(recipient, '@'))
        ELSE recipient END) END) VIRTUAL,
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
