import { and, count, eq, gt, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { asInteger, build } from '../db/build.ts';
import { insertFrom, insertWhere } from '../db/insert-from.ts';
import { type Params, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { isAddress, type MailPurpose, mailOutbox, personOf } from '../db/tables/mail.ts';
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

type Queued<Mail> = Params<Mail & { at: IsoTime; dayAgo: IsoTime }>;

/** Mails of the kind that a person was sent within a day. */
const sentTo = (person: SQL, p: Queued<{ purpose: MailPurpose }>) =>
  build
    .select({ sent: count() })
    .from(earlier)
    .where(and(eq(earlier.purpose, p.purpose), eq(earlier.person, person), gt(earlier.createdAt, p.dayAgo)));

const mailOf = (p: Queued<Omit<AccountMail, 'purpose'> & { purpose: MailPurpose }>) => ({
  purpose: p.purpose,
  reference: p.reference,
  subject: p.subject,
  text: p.text,
  createdAt: p.at,
  nextAttemptAt: p.at,
});

const insertMail = write((p: Queued<AccountMail & { agentId: string; unproven: number }>) => {
  const most = sql`CASE WHEN ${agents.emailVerifiedAt} IS NULL THEN ${asInteger(p.unproven)} ELSE ${MAILS_A_DAY} END`;
  return insertFrom(mailOutbox, { ...mailOf(p), recipient: sql`${agents.email}` }, (select) =>
    select
      .from(agents)
      .where(
        and(
          eq(agents.id, p.agentId),
          isAddress(agents.email),
          sql`${sentTo(personOf(agents.email), p)} < ${most}`,
        ),
      ),
  ).onConflictDoNothing();
});

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

const insertLinkMail = write((p: Queued<LinkMail>) => {
  const counts = build
    .select({
      sent: count().as('sent'),
      own: sql<number>`coalesce(sum(${earlier.requester} IS ${p.requester}), 0)`.as('own'),
    })
    .from(earlier)
    .where(
      and(
        eq(earlier.purpose, p.purpose),
        eq(earlier.person, personOf(sql`${p.recipient}`)),
        gt(earlier.createdAt, p.dayAgo),
      ),
    )
    .as('counts');
  return insertFrom(
    mailOutbox,
    { ...mailOf(p), recipient: p.recipient, agentId: p.agentId, requester: p.requester },
    (select) =>
      select
        .from(counts)
        .where(
          or(
            and(eq(counts.own, 0), lt(counts.sent, MOST_LINKS_A_DAY)),
            and(lt(counts.own, LINKS_OF_NETWORK_A_DAY), lt(counts.sent, LINKS_A_DAY)),
          ),
        ),
  ).onConflictDoNothing();
});

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

const insertSaleMail = write((p: Queued<SaleMail>) =>
  insertWhere(
    mailOutbox,
    { ...mailOf(p), recipient: p.recipient },
    sql`${sentTo(personOf(sql`${p.recipient}`), p)} < ${MAILS_TO_KEYLESS_A_DAY}`,
  ).onConflictDoNothing(),
);

/** Queues a mail to the address given with a purchase, of which anybody may have named any: ten of the kind a day at most. */
export function queueSaleMail(mail: SaleMail, at: IsoTime): Statement {
  return insertSaleMail({ ...mail, at, dayAgo: isoTime(epochOf(at) - DAY_MS) });
}
