import { sql } from 'drizzle-orm';
import { insertInto, prepared } from '../../db/statement.ts';
import { sellerNotifications } from '../../db/tables/events.ts';
import type { JsonObject } from '../../kernel/json/json.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { SellerNotification } from './agent-event.ts';

const recent = prepared<{
  sellerId: string;
  limit: number;
}>(sql`SELECT id, type, data, created_at AS createdAt FROM ${sellerNotifications}
  WHERE seller_id = ${sql.placeholder('sellerId')} ORDER BY created_at DESC, id DESC LIMIT ${sql.placeholder('limit')}`);

/** Leaves a seller a note on its dashboard: to be committed with what it tells of. */
export function recordNotification(
  sellerId: string,
  type: string,
  data: JsonObject,
  id: string,
  at: IsoTime,
): Statement {
  return insertInto(sellerNotifications, { id, sellerId, type, data: JSON.stringify(data), createdAt: at });
}

/** Newest first. */
export async function listNotifications(
  market: Database,
  sellerId: string,
  limit: number,
): Promise<SellerNotification[]> {
  const rows = await market.all<Omit<SellerNotification, 'data'> & { data: string }>(
    recent({ sellerId, limit }),
  );
  return rows.map(({ createdAt, data, id, type }) => ({
    createdAt,
    data: JSON.parse(data) as JsonObject,
    id,
    type,
  }));
}
