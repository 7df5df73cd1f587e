-- Whose a mail with a link is, so that an erasure finds it: its reference is a link, which may be gone. And the network that
-- asked for it, as a keyed hash, so that strangers cannot use up the mails of an owner.
ALTER TABLE mail_outbox ADD COLUMN agent_id TEXT;
ALTER TABLE mail_outbox ADD COLUMN requester TEXT;
UPDATE mail_outbox SET agent_id = (SELECT agent_id FROM email_links WHERE id = reference) WHERE purpose = 'email_link';
UPDATE mail_outbox SET agent_id = (SELECT agent_id FROM account_recoveries WHERE id = reference) WHERE purpose = 'recovery_link';
CREATE INDEX mail_of_agent ON mail_outbox (agent_id) WHERE agent_id IS NOT NULL;

CREATE INDEX approvals_by_use ON approvals (used_for) WHERE used_for IS NOT NULL;
