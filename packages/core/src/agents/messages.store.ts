import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { messages } from '../db/tables/messages.ts';
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

/** How many messages an inbox takes in 24 hours: from one sender, and from all. */
const MAX_FROM_SENDER = 100;
const MAX_FROM_ALL = 2000;

const INBOX_NOT_FULL = 'inbox_not_full';

const requireRoom = write((p: Params<{ recipientId: string; senderId: string; since: IsoTime }>) => {
  const recent = build
    .select({ senderId: messages.senderId })
    .from(messages)
    .where(and(eq(messages.recipientId, p.recipientId), gt(messages.createdAt, p.since)))
    .orderBy(desc(messages.createdAt))
    .limit(MAX_FROM_ALL)
    .as('recent');
  return sql`INSERT INTO guards (name) SELECT ${INBOX_NOT_FULL} WHERE (
    SELECT COUNT(*) >= ${MAX_FROM_ALL} OR COALESCE(SUM(${recent.senderId} = ${p.senderId}), 0) >= ${MAX_FROM_SENDER}
    FROM ${recent})`;
});

/** Aborts where the inbox had too many messages within a day: everyone may write, and messages are kept. */
export function insertMessage(message: typeof messages.$inferInsert): Statement[] {
  const { recipientId, senderId, createdAt } = message;
  const since = isoTime(epochOf(createdAt) - DAY_MS);
  return [requireRoom({ recipientId, senderId, since }), insertInto(messages, message)];
}

export function isInboxFull(error: unknown): boolean {
  return isGuard(error, INBOX_NOT_FULL);
}
