-- Who has a /48 of IPv6 has 65,536 networks: what keys of one network may do together is counted for the /48, too.
-- A keyed hash; NULL for IPv4, and for whoever was there before it was kept.
ALTER TABLE agents ADD COLUMN registered_from_wide TEXT;

-- gmail.com and googlemail.com are one mailbox each, whatever dots its name is written with.
DROP TRIGGER purchases_free_receipt_mailed;
DROP INDEX mail_outbox_by_person;
ALTER TABLE mail_outbox DROP COLUMN person;
ALTER TABLE mail_outbox ADD COLUMN person TEXT GENERATED ALWAYS AS (
  CASE WHEN lower(substr(recipient, instr(recipient, '@'))) IN ('@gmail.com', '@googlemail.com')
    THEN replace(lower(substr(recipient, 1, CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
      THEN instr(recipient, '+') ELSE instr(recipient, '@') END - 1)), '.', '') || '@gmail.com'
    ELSE lower(CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
      THEN substr(recipient, 1, instr(recipient, '+') - 1) || substr(recipient, instr(recipient, '@'))
      ELSE recipient END) END) VIRTUAL;
CREATE INDEX mail_outbox_by_person ON mail_outbox (person, purpose, created_at);
CREATE TRIGGER purchases_free_receipt_mailed AFTER INSERT ON purchases
  WHEN NEW.delivered_at IS NOT NULL AND NEW.email IS NOT NULL AND length(NEW.email) BETWEEN 3 AND 254
BEGIN
  INSERT INTO mail_outbox (purpose, reference, recipient, created_at)
    VALUES ('purchase_receipt', NEW.id, NEW.email, NEW.delivered_at) ON CONFLICT DO NOTHING;
  DELETE FROM mail_outbox WHERE purpose = 'purchase_receipt' AND reference = NEW.id
    AND (SELECT COUNT(*) FROM mail_outbox AS received
      WHERE received.person = mail_outbox.person AND received.purpose = 'purchase_receipt'
        AND received.created_at > strftime('%Y-%m-%dT%H:%M:%fZ', NEW.delivered_at, '-1 day')) > 3;
END;
