import { and, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { messages } from '../db/tables/messages.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { DAY_MS, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';
import type { InboxPosition } from './inbox.rules.ts';

/** A message as its recipient sees it; the sender goes by handle and opt-in name only. */
export interface ReceivedMessage {
  readonly createdAt: IsoTime;
  readonly from: string;
  readonly fromName: string | null;
  readonly id: string;
  readonly text: string;
}

/** Positions are compared as pairs, which the index serves from where the last page ended. */
const page = query((p: Params<{ recipientId: string; createdAt: IsoTime; id: string; limit: number }>) =>
  build
    .select({
      createdAt: messages.createdAt,
      from: agents.handle,
      fromName: agents.displayName,
      id: messages.id,
      text: messages.text,
    })
    .from(messages)
    .innerJoin(agents, eq(agents.id, messages.senderId))
    .where(
      and(
        eq(messages.recipientId, p.recipientId),
        sql`(${messages.createdAt}, ${messages.id}) < (${p.createdAt}, ${p.id})`,
      ),
    )
    .orderBy(desc(messages.createdAt), desc(messages.id))
    .limit(p.limit),
);

/** Sorts after every real time and id. */
const NEWEST: InboxPosition = { createdAt: '~', id: '~' };

/** Newest first, from just after a position on. */
export function readMessages(
  db: Database,
  recipientId: string,
  after: InboxPosition | null,
  limit: number,
): Promise<ReceivedMessage[]> {
  const { createdAt, id } = after ?? NEWEST;
  return page.all(db, { recipientId, createdAt, id, limit });
}

/** How many messages an inbox takes from one sender in 24 hours. */
const MAX_FROM_SENDER = 100;

const INBOX_NOT_FULL = 'inbox_not_full';

/** Money that was paid and did not go back. */
const isPaid = sql`(${purchases.amountCents} > 0 AND ${purchases.contentDigest} IS NOT NULL
  AND ${purchases.status} IN ('held', 'releasing', 'released'))`;
const isFree = sql`${purchases.amountCents} = 0`;

const bought = (buyer: SQLWrapper, seller: SQLWrapper | null, terms: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${purchases} WHERE ${purchases.buyerId} = ${buyer}
    ${seller === null ? sql`` : sql`AND ${purchases.sellerId} = ${seller}`} AND ${terms})`;

/**
 * How many messages an inbox takes in 24 hours from all senders that have as much to do with its owner as this one.
 * NULL: as many as they send. A new key costs nothing, and neither does taking what its owner gives away: such senders
 * fill a share of the inbox, and leave the shares of others as they are. What the recipient itself took is its own choice.
 */
const roomFor = (sender: SQLWrapper, recipient: SQLWrapper) => sql`CASE
  WHEN ${bought(sender, recipient, isPaid)} OR ${bought(recipient, sender, isPaid)}
    OR ${bought(recipient, sender, isFree)} THEN NULL
  WHEN ${bought(sender, null, isPaid)} THEN 600
  WHEN ${bought(sender, recipient, isFree)} THEN 400
  ELSE 1000 END`;

const requireRoom = write(
  (p: Params<{ recipientId: string; senderId: string; since: IsoTime }>) => sql`INSERT INTO guards (name)
    WITH recent AS (SELECT ${messages.senderId} AS sender, COUNT(*) AS sent FROM ${messages}
      WHERE ${messages.recipientId} = ${p.recipientId} AND ${messages.createdAt} > ${p.since} GROUP BY 1)
    SELECT ${INBOX_NOT_FULL} FROM (SELECT ${roomFor(sql`${p.senderId}`, sql`${p.recipientId}`)} AS room)
    WHERE (SELECT sent FROM recent WHERE sender = ${p.senderId}) >= ${MAX_FROM_SENDER}
      OR room <= (SELECT SUM(sent) FROM recent WHERE ${roomFor(sql`sender`, sql`${p.recipientId}`)} = room)`,
);

/** Aborts where the inbox has no room left within a day for its sender: everyone may write, and messages are kept. */
export function insertMessage(message: typeof messages.$inferInsert): Statement[] {
  const { recipientId, senderId, createdAt } = message;
  const since = isoTime(epochOf(createdAt) - DAY_MS);
  return [requireRoom({ recipientId, senderId, since }), insertInto(messages, message)];
}

export function isInboxFull(error: unknown): boolean {
  return isGuard(error, INBOX_NOT_FULL);
}
