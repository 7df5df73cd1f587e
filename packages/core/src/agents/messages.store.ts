import { sql } from 'drizzle-orm';
import { insertInto, prepared } from '../db/statement.ts';
import { agents } from '../db/tables/agents.ts';
import { messages } from '../db/tables/messages.ts';
import type { Database, Statement } from '../kernel/ports.ts';
import type { IsoTime } from '../kernel/time.ts';
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

export function insertMessage(message: typeof messages.$inferInsert): Statement {
  return insertInto(messages, message);
}
