import { and, count, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { build } from '../db/build.ts';
import { type Params, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { type MailPurpose, mailOutbox, personOf } from '../db/tables/mail.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { DAY_MS, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';

/** Mails of one kind that a person is sent in a day, where an agent proved the address. */
const MAILS_A_DAY = 10;
/** Anybody registers with any address: a stranger's must not be flooded. */
const NOTICES_TO_UNPROVEN_ADDRESSES_A_DAY = 3;

interface AccountMail {
  readonly purpose: Extract<
    MailPurpose,
    | 'account_notice'
    | 'approval_link'
    | 'passkey_link'
    | 'moderation_notice'
    | 'alert_notice'
    | 'statement_notice'
  >;
  /** The id of what it is about. */
  readonly reference: string;
  readonly subject: string;
  readonly text: string;
}

/** Mails of one kind with links that a person is sent in a day because of one network. */
const LINKS_OF_NETWORK_A_DAY = 5;
/** Of all networks together; beyond it, the first of each network. */
const LINKS_A_DAY = 10;
/** However many networks ask. */
const MOST_LINKS_A_DAY = 50;

const earlier = alias(mailOutbox, 'earlier');

const insertMail = write(
  (
    p: Params<AccountMail & { agentId: string; at: IsoTime; dayAgo: IsoTime; unproven: number }>,
  ) => sql`INSERT INTO ${mailOutbox} (purpose, reference, recipient, subject, text, created_at, next_attempt_at)
    SELECT ${p.purpose}, ${p.reference}, ${agents.email}, ${p.subject}, ${p.text}, ${p.at}, ${p.at} FROM ${agents}
    WHERE ${agents.id} = ${p.agentId} AND length(${agents.email}) BETWEEN 3 AND 254 AND ${build
      .select({ sent: count() })
      .from(earlier)
      .where(
        and(
          sql`${earlier.purpose} = ${p.purpose}`,
          eq(earlier.person, personOf(agents.email)),
          sql`${earlier.createdAt} > ${p.dayAgo}`,
        ),
      )} < CASE WHEN ${agents.emailVerifiedAt} IS NULL THEN CAST(${p.unproven} AS INTEGER) ELSE ${MAILS_A_DAY} END
    ON CONFLICT DO NOTHING`,
);

/**
 * Queues a mail to the agent's address, if it gave one. None is queued where the address's reader had ten of the kind
 * within a day. Where this agent never proved the address, it gets three notices of its account, and nothing else.
 */
export function queueAccountMail(agentId: string, mail: AccountMail, at: IsoTime): Statement {
  const unproven = mail.purpose === 'account_notice' ? NOTICES_TO_UNPROVEN_ADDRESSES_A_DAY : 0;
  return insertMail({ agentId, ...mail, at, dayAgo: isoTime(epochOf(at) - DAY_MS), unproven });
}

interface LinkMail extends Omit<AccountMail, 'purpose'> {
  readonly purpose: Extract<MailPurpose, 'email_link' | 'recovery_link'>;
  readonly recipient: string;
  /** The account that it is about. */
  readonly agentId: string;
  /** A keyed hash of the network that asks. */
  readonly requester: string;
}

const insertLinkMail = write(
  (
    p: Params<LinkMail & { at: IsoTime; dayAgo: IsoTime }>,
  ) => sql`INSERT INTO ${mailOutbox} (purpose, reference, recipient, subject, text, agent_id, requester, created_at, next_attempt_at)
    SELECT ${p.purpose}, ${p.reference}, ${p.recipient}, ${p.subject}, ${p.text}, ${p.agentId}, ${p.requester}, ${p.at}, ${p.at}
    FROM (SELECT count() AS sent, coalesce(sum(requester IS ${p.requester}), 0) AS own FROM ${mailOutbox}
      WHERE purpose = ${p.purpose} AND person = ${personOf(sql`${p.recipient}`)} AND created_at > ${p.dayAgo})
    WHERE own = 0 AND sent < ${MOST_LINKS_A_DAY} OR own < ${LINKS_OF_NETWORK_A_DAY} AND sent < ${LINKS_A_DAY}
    ON CONFLICT DO NOTHING`,
);

/**
 * Queues a mail with a link, to an address that anybody may have named. Strangers cannot use up an owner's: one network has
 * five of the kind a day sent to one reader, and each network's first goes out where ten of other networks were sent.
 */
export function queueLinkMail(mail: LinkMail, at: IsoTime): Statement {
  return insertLinkMail({ ...mail, at, dayAgo: isoTime(epochOf(at) - DAY_MS) });
}

interface SaleMail extends Omit<AccountMail, 'purpose'> {
  readonly purpose: Extract<MailPurpose, 'refund_notice' | 'dispute_notice' | 'statement_notice'>;
  readonly recipient: string;
}

/** Mails of one kind that a person is sent in a day who bought without a key. */
const MAILS_TO_KEYLESS_A_DAY = 10;

const insertSaleMail = write(
  (
    p: Params<SaleMail & { at: IsoTime; dayAgo: IsoTime }>,
  ) => sql`INSERT INTO ${mailOutbox} (purpose, reference, recipient, subject, text, created_at, next_attempt_at)
    SELECT ${p.purpose}, ${p.reference}, ${p.recipient}, ${p.subject}, ${p.text}, ${p.at}, ${p.at}
    WHERE ${build
      .select({ sent: count() })
      .from(earlier)
      .where(
        and(
          sql`${earlier.purpose} = ${p.purpose}`,
          eq(earlier.person, personOf(sql`${p.recipient}`)),
          sql`${earlier.createdAt} > ${p.dayAgo}`,
        ),
      )} < ${MAILS_TO_KEYLESS_A_DAY}
    ON CONFLICT DO NOTHING`,
);

/** Queues a mail to the address given with a purchase, of which anybody may have named any: ten of the kind a day at most. */
export function queueSaleMail(mail: SaleMail, at: IsoTime): Statement {
  return insertSaleMail({ ...mail, at, dayAgo: isoTime(epochOf(at) - DAY_MS) });
}
