-- Mail to an address goes to the same person in any case, and whatever follows a plus sign in its local part.
ALTER TABLE mail_outbox ADD COLUMN person TEXT GENERATED ALWAYS AS (
  lower(CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
    THEN substr(recipient, 1, instr(recipient, '+') - 1) || substr(recipient, instr(recipient, '@'))
    ELSE recipient END)) VIRTUAL;
DROP INDEX mail_outbox_claims_of_address;
DROP INDEX mail_outbox_by_recipient;
CREATE INDEX mail_outbox_by_person ON mail_outbox (person, purpose, created_at);

-- The receipt of a free purchase is queued, unless its person had three in the day before.
DROP TRIGGER purchases_free_receipt_mailed;
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
