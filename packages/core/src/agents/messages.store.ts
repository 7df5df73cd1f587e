import { and, desc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { abortWhere } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { hasPaidOrEarned, isPaidSale } from '../db/paid.ts';
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

const isFree = sql`${purchases.amountCents} = 0`;

const bought = (buyer: SQLWrapper, seller: SQLWrapper, terms: SQL) =>
  sql`EXISTS (SELECT 1 FROM ${purchases} WHERE ${purchases.buyerId} = ${buyer}
    AND ${purchases.sellerId} = ${seller} AND ${terms})`;

/** Of the 2,000 messages that an inbox takes in 24 hours from whoever has nothing to do with its owner. */
const FROM_PAID = 1600;
const FROM_UNPAID = 400;
/** Of these, for networks that left a message before. */
const FROM_KNOWN_NETWORKS = 300;

/**
 * How many messages an inbox takes in 24 hours from all senders that have as much to do with its owner as this one.
 * NULL: as many as they send. A new key costs nothing, and neither does taking what its owner gives away: such senders
 * fill a share of the inbox, and leave the shares of others as they are. What the recipient itself took is its own choice.
 */
const roomFor = (sender: SQLWrapper, recipient: SQLWrapper) => sql`CASE
  WHEN ${bought(sender, recipient, isPaidSale)} OR ${bought(recipient, sender, isPaidSale)}
    OR ${bought(recipient, sender, isFree)} THEN NULL
  WHEN ${hasPaidOrEarned(sender)} THEN ${sql.raw(`${FROM_PAID}`)}
  ELSE ${sql.raw(`${FROM_UNPAID}`)} END`;

/** Senders with their rooms, and what shares the room with others: the network of keys that never paid. */
const sharesOf = (senders: SQL, recipient: SQLWrapper) => sql`(SELECT sender, sent, room,
    CASE room WHEN ${sql.raw(`${FROM_UNPAID}`)} THEN COALESCE(
      (SELECT COALESCE(${agents.registeredFromWide}, ${agents.registeredFrom}) FROM ${agents} WHERE ${agents.id} = sender), sender) ELSE sender END AS network
  FROM (SELECT sender, sent, ${roomFor(sql`sender`, recipient)} AS room FROM ${senders}))`;

/**
 * Beyond a first message no sender, and no network of keys that never paid, gets more than it leaves to others: the busiest
 * are refused first. A part of the room for such keys is for networks that left no message yet.
 */
const requireRoom = write((p: Params<{ recipientId: string; senderId: string; since: IsoTime }>) =>
  abortWhere(
    INBOX_NOT_FULL,
    sql`EXISTS (WITH recent AS MATERIALIZED (SELECT ${messages.senderId} AS sender, COUNT(*) AS sent FROM ${messages}
        WHERE ${messages.recipientId} = ${p.recipientId} AND ${messages.createdAt} > ${p.since} GROUP BY 1),
      shares AS MATERIALIZED ${sharesOf(sql`recent`, sql`${p.recipientId}`)},
      own AS MATERIALIZED
        ${sharesOf(sql`(SELECT ${p.senderId} AS sender, 0 AS sent)`, sql`${p.recipientId}`)},
      used AS MATERIALIZED (SELECT own.room, SUM(shares.sent) AS together,
          SUM(shares.sent * (shares.network = own.network)) AS of_network,
          SUM(shares.sent * (shares.sender = own.sender)) AS by_sender
        FROM own JOIN shares ON shares.room = own.room)
    SELECT 1 FROM used
    WHERE (SELECT sent FROM recent WHERE sender = ${p.senderId}) >= ${MAX_FROM_SENDER}
      OR together >= room
      OR (of_network > 0 AND together + of_network + by_sender >=
        CASE room WHEN ${sql.raw(`${FROM_UNPAID}`)} THEN ${FROM_KNOWN_NETWORKS} ELSE room END))`,
  ),
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
