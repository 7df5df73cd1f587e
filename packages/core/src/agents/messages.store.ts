import { sql } from 'drizzle-orm';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { agents } from '../db/tables/agents.ts';
import { messages } from '../db/tables/messages.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
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
const page = prepared<{ recipientId: string; createdAt: IsoTime; id: string; limit: number }>(
  sql`SELECT m.created_at AS createdAt, a.handle AS "from", a.display_name AS fromName, m.id, m.text
    FROM ${messages} m JOIN ${agents} a ON a.id = m.sender_id
    WHERE m.recipient_id = ${sql.placeholder('recipientId')}
      AND (m.created_at, m.id) < (${sql.placeholder('createdAt')}, ${sql.placeholder('id')})
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${sql.placeholder('limit')}`,
);

/** Sorts after every time there is. */
const NEWEST: InboxPosition = { createdAt: '~', id: '~' };

/** Newest first, from just after a position on. */
export function readMessages(
  db: Database,
  recipientId: string,
  after: InboxPosition | null,
  limit: number,
): Promise<ReceivedMessage[]> {
  const { createdAt, id } = after ?? NEWEST;
  return db.all<ReceivedMessage>(page({ recipientId, createdAt, id, limit }));
}

/** In 24 hours: of one sender, and of all. */
const MOST_OF_ONE = 100;
const MOST_OF_ALL = 2000;

/** Aborts where the recipient had too many within a day: everyone may write, and what was written stays. */
export function insertMessage(message: typeof messages.$inferInsert): Statement[] {
  const { recipientId, senderId, createdAt } = message;
  const recent = sql`SELECT sender_id FROM ${messages} WHERE recipient_id = ${recipientId}
    AND created_at > ${isoTime(epochOf(createdAt) - DAY_MS)} ORDER BY created_at DESC LIMIT ${sql.raw(String(MOST_OF_ALL))}`;
  return [
    statement(sql`INSERT INTO guards (name) SELECT 'inbox_not_full' WHERE (
      SELECT COUNT(*) >= ${sql.raw(String(MOST_OF_ALL))}
        OR COALESCE(SUM(sender_id = ${senderId}), 0) >= ${sql.raw(String(MOST_OF_ONE))}
      FROM (${recent}))`),
    insertInto(messages, message),
  ];
}

export const isInboxFull = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'guard inbox_not_full';
