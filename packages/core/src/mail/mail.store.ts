import { and, count, desc, eq, isNotNull, isNull, lt, lte, type Placeholder, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { build, excluded, named } from '../db/build.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, readAll, readFirst, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { isAddress, type MailPurpose, mailOutbox, personOf } from '../db/tables/mail.ts';
import { type Due, MAX_TRIES } from '../kernel/outbox.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { DAY_MS, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';

export { MAIL_PURPOSES } from '../db/tables/mail.ts';

type MailRow = typeof mailOutbox.$inferSelect;

/** A mail whose next try has just begun. */
export interface ClaimedMail {
  readonly purpose: MailPurpose;
  readonly reference: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  /** This one counted. */
  readonly attempts: number;
}

type NewMail = Omit<ClaimedMail, 'attempts'>;

const insertMail = write((p: Params<NewMail & { createdAt: IsoTime }>) =>
  build
    .insert(mailOutbox)
    .values({
      purpose: p.purpose,
      reference: p.reference,
      recipient: p.recipient,
      subject: p.subject,
      text: p.text,
      createdAt: p.createdAt,
      nextAttemptAt: p.createdAt,
    })
    .onConflictDoNothing(),
);

/** To be committed with what the mail is about. A second mail with the same purpose and reference is not queued. */
export function queueMail(mail: NewMail, createdAt: IsoTime): Statement {
  return insertMail({ ...mail, createdAt });
}

const fillText = write((p: Params<Omit<NewMail, 'recipient'>>) =>
  build
    .update(mailOutbox)
    .set({ subject: p.subject, text: p.text })
    .where(
      and(eq(mailOutbox.purpose, p.purpose), eq(mailOutbox.reference, p.reference), isNull(mailOutbox.text)),
    ),
);

/** Writes a mail that a trigger queued without its text. One that has a text keeps it. */
export function writeMail(mail: Omit<NewMail, 'recipient'>): Statement {
  return fillText({ ...mail });
}

const fold = write((p: Params<{ purpose: MailPurpose; references: string; at: IsoTime }>) =>
  build
    .update(mailOutbox)
    .set({ subject: '', text: '', sentAt: p.at })
    .where(
      and(
        eq(mailOutbox.purpose, p.purpose),
        sql`${mailOutbox.reference} IN (SELECT value FROM json_each(${p.references}))`,
        isNull(mailOutbox.text),
      ),
    ),
);

/** Counts mails as sent that have no text yet, since another one names what they are about. */
export function foldMails(purpose: MailPurpose, references: readonly string[], at: IsoTime): Statement {
  return fold({ purpose, references: JSON.stringify(references), at });
}

/** An agent registers with any address it likes: a stranger's must not be flooded. */
const CLAIM_MAILS_A_DAY = 1;
const CLAIM_MAILS_A_MONTH = 5;

const earlier = alias(mailOutbox, 'earlier');

const claimMailsSince = (since: Placeholder) =>
  build
    .select({ sent: count() })
    .from(earlier)
    .where(
      and(
        eq(earlier.purpose, 'claim_link'),
        eq(earlier.person, personOf(agents.email)),
        sql`${earlier.createdAt} > ${since}`,
      ),
    );

const insertClaimMail = write(
  (
    p: Params<{
      agentId: string;
      subject: string;
      text: string;
      at: IsoTime;
      dayAgo: IsoTime;
      monthAgo: IsoTime;
    }>,
  ) =>
    insertFrom(
      mailOutbox,
      {
        purpose: 'claim_link',
        reference: agents.id,
        recipient: sql`${agents.email}`,
        subject: p.subject,
        text: p.text,
        createdAt: p.at,
        nextAttemptAt: p.at,
      },
      (select) =>
        select
          .from(agents)
          .where(
            and(
              eq(agents.id, p.agentId),
              isAddress(agents.email),
              sql`${claimMailsSince(p.dayAgo)} < ${CLAIM_MAILS_A_DAY}`,
              sql`${claimMailsSince(p.monthAgo)} < ${CLAIM_MAILS_A_MONTH}`,
            ),
          ),
    ).onConflictDoUpdate({
      target: [mailOutbox.purpose, mailOutbox.reference],
      set: {
        ...excluded(mailOutbox, 'recipient', 'subject', 'text', 'createdAt', 'nextAttemptAt'),
        attempts: 0,
        sentAt: null,
        failedAt: null,
      },
    }),
);

/**
 * Queues a mail to the address that the agent gave, if it gave one. None is queued where the address had such a mail
 * within a day, or five within 30 days, whichever agents gave it. The mail replaces the agent's earlier one of this kind.
 */
export function queueClaimMail(
  agentId: string,
  { subject, text }: { subject: string; text: string },
  at: IsoTime,
): Statement {
  const before = (durationMs: number) => isoTime(epochOf(at) - durationMs);
  return insertClaimMail({
    agentId,
    subject,
    text,
    at,
    dayAgo: before(DAY_MS),
    monthAgo: before(30 * DAY_MS),
  });
}

export type MailKey = Pick<ClaimedMail, 'purpose' | 'reference'>;

/** How the tries of a run ended. */
export interface Outcomes {
  readonly sent: readonly MailKey[];
  readonly failed: readonly MailKey[];
  readonly at: IsoTime;
}

const KEY = sql`(${mailOutbox.purpose}, ${mailOutbox.reference})`;
const isAmong = (keys: Placeholder) =>
  sql`${KEY} IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`;
const listOf = (keys: readonly MailKey[]) =>
  JSON.stringify(keys.map(({ purpose, reference }) => [purpose, reference]));
const isOpen = and(isNull(mailOutbox.sentAt), isNull(mailOutbox.failedAt), isNotNull(mailOutbox.text));

const recordSent = write((p: Params<{ keys: string; at: IsoTime }>) =>
  build
    .update(mailOutbox)
    // Only its reader may have what was sent from here on: links in it open things.
    .set({ sentAt: p.at, failedAt: null, text: '' })
    .where(and(isAmong(p.keys), isNull(mailOutbox.sentAt))),
);

const recordFailed = write((p: Params<{ keys: string; now: IsoTime }>) =>
  build
    .update(mailOutbox)
    .set({ failedAt: p.now })
    .where(
      and(
        isOpen,
        // The end of a last try may never have been recorded: such a mail has failed when its time is over.
        sql`(${isAmong(p.keys)} OR (${lte(mailOutbox.nextAttemptAt, p.now)} AND ${mailOutbox.attempts} >= ${MAX_TRIES}))`,
      ),
    ),
);

const claimDue = query((p: Params<{ now: IsoTime; nextTries: string; limit: number }>) =>
  build
    .update(mailOutbox)
    .set({
      attempts: sql`${mailOutbox.attempts} + 1`,
      nextAttemptAt: sql`${p.nextTries} ->> ${mailOutbox.attempts}`,
    })
    .where(
      sql`${KEY} IN ${build
        .select({ purpose: mailOutbox.purpose, reference: mailOutbox.reference })
        .from(mailOutbox)
        .where(and(isOpen, lte(mailOutbox.nextAttemptAt, p.now)))
        .orderBy(mailOutbox.nextAttemptAt)
        .limit(p.limit)}`,
    )
    .returning(
      named({
        purpose: mailOutbox.purpose,
        reference: mailOutbox.reference,
        recipient: mailOutbox.recipient,
        // An open mail has both.
        subject: sql<string>`${mailOutbox.subject}`,
        text: sql<string>`${mailOutbox.text}`,
        attempts: mailOutbox.attempts,
      }),
    ),
);

/**
 * Records how tries ended and begins the next ones. A claimed mail is not due again before the time that `nextTries`
 * names, so that no other run sends it meanwhile.
 */
export async function recordAndClaimBatch(
  market: Database,
  outcomes: Outcomes | null,
  { now, nextTries, limit }: Due,
): Promise<ClaimedMail[]> {
  const { sent, failed, at } = outcomes ?? { sent: [], failed: [], at: now };
  const [, , claimed] = await market.commit([
    recordSent({ keys: listOf(sent), at }),
    recordFailed({ keys: listOf(failed), now }),
    claimDue.statement({ now, nextTries: JSON.stringify(nextTries), limit }),
  ]);
  return claimDue.rows(claimed);
}

export type MailStatus = 'queued' | 'sent' | 'failed';

const mailRecord = {
  attempts: mailOutbox.attempts,
  createdAt: mailOutbox.createdAt,
  failedAt: mailOutbox.failedAt,
  purpose: mailOutbox.purpose,
  recipient: mailOutbox.recipient,
  reference: mailOutbox.reference,
  sentAt: mailOutbox.sentAt,
  subject: mailOutbox.subject,
};

/** A mail as the operator sees it. */
export type MailRecord = Pick<MailRow, keyof typeof mailRecord>;

const hasStatus = {
  queued: and(isNull(mailOutbox.sentAt), isNull(mailOutbox.failedAt)),
  sent: isNotNull(mailOutbox.sentAt),
  failed: isNotNull(mailOutbox.failedAt),
} as const;

/** Newest first. */
export async function listOutbox(
  market: Database,
  status: MailStatus | null,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ mails: MailRecord[]; total: number }> {
  const where = status === null ? undefined : hasStatus[status];
  const [mails, counted] = await Promise.all([
    readAll(
      market,
      build
        .select(mailRecord)
        .from(mailOutbox)
        .where(where)
        .orderBy(desc(mailOutbox.createdAt), mailOutbox.purpose, mailOutbox.reference)
        .limit(page.limit)
        .offset(page.offset),
    ),
    readFirst(market, build.select({ total: count() }).from(mailOutbox).where(where)),
  ]);
  return { mails, total: counted?.total ?? 0 };
}

const deleteOld = write((p: Params<{ before: IsoTime; limit: number }>) =>
  build
    .delete(mailOutbox)
    .where(
      sql`${KEY} IN ${build
        .select({ purpose: mailOutbox.purpose, reference: mailOutbox.reference })
        .from(mailOutbox)
        .where(lt(mailOutbox.createdAt, p.before))
        .orderBy(mailOutbox.createdAt)
        .limit(p.limit)}`,
    ),
);

const deleteAbout = write((p: Params<{ reference: string }>) =>
  build.delete(mailOutbox).where(eq(mailOutbox.reference, p.reference)),
);

/** Deletes all mail about something, sent or not. */
export function deleteMail(reference: string): Statement {
  return deleteAbout({ reference });
}

export async function deleteOldMail(market: Database, before: IsoTime, limit: number): Promise<void> {
  await market.commit([deleteOld({ before, limit })]);
}
