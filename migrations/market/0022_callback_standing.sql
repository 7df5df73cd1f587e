-- How an agent's callbackUrl has answered lately: those that let us wait do not hold up the others.
CREATE TABLE callback_standings (
  agent_id TEXT PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
  -- Tries in a row that ran out of time or reached nobody.
  silences INTEGER NOT NULL CHECK (silences >= 0),
  -- Nothing is sent before then.
  aside_until TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- An address without what follows a plus sign in its local part: mail to either goes to the same person.
CREATE INDEX mail_outbox_claims_of_address ON mail_outbox (
  lower(CASE WHEN instr(recipient, '+') BETWEEN 2 AND instr(recipient, '@')
    THEN substr(recipient, 1, instr(recipient, '+') - 1) || substr(recipient, instr(recipient, '@'))
    ELSE recipient END), created_at) WHERE purpose = 'claim_link';
