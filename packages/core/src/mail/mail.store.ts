import { type SQL, sql } from 'drizzle-orm';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { agents } from '../db/tables/agents.ts';
import { mailOutbox } from '../db/tables/mail.ts';
import { type Due, MAX_TRIES } from '../kernel/outbox.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { DAY_MS, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';

export type MailPurpose = (typeof mailOutbox.$inferSelect)['purpose'];

/** A mail whose next try has just begun. */
export interface TakenMail {
  readonly purpose: MailPurpose;
  readonly reference: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  /** This one counted. */
  readonly attempts: number;
}

const ago = (at: IsoTime, durationMs: number) => isoTime(epochOf(at) - durationMs);

/** To be committed with what it tells of. The second mail about the same is none. */
export function queueMail(
  mail: { purpose: MailPurpose; reference: string; recipient: string; subject: string; text: string },
  createdAt: IsoTime,
): Statement {
  return insertInto(
    mailOutbox,
    { ...mail, createdAt, nextAttemptAt: createdAt },
    sql`ON CONFLICT DO NOTHING`,
  );
}

/** Whoever registers may give anybody's address: it gets so little that nobody is bothered. */
const CLAIMS_A_DAY = 1;
const CLAIMS_A_MONTH = 5;

/** An address without what follows a plus sign in its local part, as the index has it. */
const personOf = (
  address: SQL,
) => sql`lower(CASE WHEN instr(${address}, '+') BETWEEN 2 AND instr(${address}, '@')
  THEN substr(${address}, 1, instr(${address}, '+') - 1) || substr(${address}, instr(${address}, '@'))
  ELSE ${address} END)`;

const claimsSince = (since: IsoTime) => sql`(SELECT COUNT(*) FROM ${mailOutbox} earlier
  WHERE earlier.purpose = 'claim_link' AND ${personOf(sql`earlier.recipient`)} = ${personOf(sql`email`)}
    AND earlier.created_at > ${since})`;

/**
 * To an agent that gave an address, and to no other; not to an address that had a mail of the kind within a day,
 * or five within 30 days, whichever agents gave it. What is known of an earlier mail of the same kind is
 * forgotten: this one takes its place.
 */
export function queueClaimMail(
  agentId: string,
  { subject, text }: { subject: string; text: string },
  at: IsoTime,
): Statement {
  return statement(sql`INSERT INTO ${mailOutbox}
      (purpose, reference, recipient, subject, text, created_at, next_attempt_at)
    SELECT 'claim_link', id, email, ${subject}, ${text}, ${at}, ${at} FROM ${agents}
    WHERE id = ${agentId} AND length(email) BETWEEN 3 AND 254
      AND ${claimsSince(ago(at, DAY_MS))} < ${sql.raw(String(CLAIMS_A_DAY))}
      AND ${claimsSince(ago(at, 30 * DAY_MS))} < ${sql.raw(String(CLAIMS_A_MONTH))}
    ON CONFLICT (purpose, reference) DO UPDATE SET recipient = excluded.recipient, subject = excluded.subject,
      text = excluded.text, created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at,
      attempts = 0, sent_at = NULL, failed_at = NULL`);
}

export type MailKey = Pick<TakenMail, 'purpose' | 'reference'>;

/** How the tries of a run ended. */
export interface Outcomes {
  readonly sent: readonly MailKey[];
  readonly failed: readonly MailKey[];
  readonly at: IsoTime;
}

const OPEN = sql`sent_at IS NULL AND failed_at IS NULL AND text IS NOT NULL`;
const among = (keys: readonly MailKey[]) =>
  sql`(purpose, reference) IN (SELECT value ->> 0, value ->> 1
    FROM json_each(${JSON.stringify(keys.map(({ purpose, reference }) => [purpose, reference]))}))`;

/**
 * Writes down how tries ended and begins the next ones. A mail that is taken is also put off, so no other run
 * has it meanwhile; `nextTries` says until when.
 */
export async function settleAndTake(
  market: Database,
  outcomes: Outcomes | null,
  { now, nextTries, limit }: Due,
): Promise<TakenMail[]> {
  const { sent, failed, at } = outcomes ?? { sent: [], failed: [], at: now };
  const rows = await market.commit([
    // What was sent is its reader's alone from here on: links in it open things.
    statement(sql`UPDATE ${mailOutbox} SET sent_at = ${at}, failed_at = NULL, text = ''
      WHERE ${among(sent)} AND sent_at IS NULL`),
    // Also those whose last try never came to an end.
    statement(sql`UPDATE ${mailOutbox} SET failed_at = ${now} WHERE ${OPEN} AND (${among(failed)}
      OR (next_attempt_at <= ${now} AND attempts >= ${sql.raw(String(MAX_TRIES))}))`),
    statement(sql`UPDATE ${mailOutbox}
      SET attempts = attempts + 1, next_attempt_at = ${JSON.stringify(nextTries)} ->> attempts
      WHERE (purpose, reference) IN (SELECT purpose, reference FROM ${mailOutbox}
        WHERE ${OPEN} AND next_attempt_at <= ${now} ORDER BY next_attempt_at LIMIT ${limit})
      RETURNING purpose, reference, recipient, subject, text, attempts`),
  ]);
  return rows[2] as TakenMail[];
}

export type MailStatus = 'queued' | 'sent' | 'failed';

/** A mail as the operator sees it. */
export interface MailRecord extends Omit<TakenMail, 'subject' | 'text'> {
  readonly createdAt: IsoTime;
  readonly failedAt: IsoTime | null;
  readonly sentAt: IsoTime | null;
  readonly subject: string | null;
}

const OF_STATUS = {
  queued: sql`sent_at IS NULL AND failed_at IS NULL`,
  sent: sql`sent_at IS NOT NULL`,
  failed: sql`failed_at IS NOT NULL`,
} as const;

/** Newest first. */
export async function listOutbox(
  market: Database,
  status: MailStatus | null,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ mails: MailRecord[]; total: number }> {
  const where = status === null ? sql`TRUE` : OF_STATUS[status];
  const [mails, count] = await Promise.all([
    market.all<MailRecord>(
      statement(sql`SELECT attempts, created_at AS createdAt, failed_at AS failedAt, purpose, recipient, reference,
        sent_at AS sentAt, subject FROM ${mailOutbox} WHERE ${where}
        ORDER BY created_at DESC, purpose, reference LIMIT ${page.limit} OFFSET ${page.offset}`),
    ),
    market.first<{ total: number }>(
      statement(sql`SELECT COUNT(*) AS total FROM ${mailOutbox} WHERE ${where}`),
    ),
  ]);
  return { mails, total: count?.total ?? 0 };
}

const forget = prepared<{ before: IsoTime; limit: number }>(sql`DELETE FROM ${mailOutbox}
  WHERE (purpose, reference) IN (SELECT purpose, reference FROM ${mailOutbox}
    WHERE created_at < ${sql.placeholder('before')} ORDER BY created_at LIMIT ${sql.placeholder('limit')})`);

export async function deleteOldMail(market: Database, before: IsoTime, limit: number): Promise<void> {
  await market.commit([forget({ before, limit })]);
}
