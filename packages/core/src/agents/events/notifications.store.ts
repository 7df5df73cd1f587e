import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { desc, eq } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query } from '../../db/query.ts';
import { sellerNotifications } from '../../db/tables/events.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { SellerNotification } from './agent-event.ts';

const recent = query((p: Params<{ sellerId: string; limit: number }>) =>
  build
    .select({
      createdAt: sellerNotifications.createdAt,
      data: sellerNotifications.data,
      id: sellerNotifications.id,
      type: sellerNotifications.type,
    })
    .from(sellerNotifications)
    .where(eq(sellerNotifications.sellerId, p.sellerId))
    .orderBy(desc(sellerNotifications.createdAt), desc(sellerNotifications.id))
    .limit(p.limit),
);

/** Leaves a seller a note on its dashboard. Commit it with the change that it reports. */
export function recordNotification(
  sellerId: string,
  type: string,
  data: JsonObject,
  id: string,
  at: IsoTime,
): Statement {
  return insertInto(sellerNotifications, { id, sellerId, type, data, createdAt: at });
}

/** Newest first. */
export function listNotifications(
  market: Database,
  sellerId: string,
  limit: number,
): Promise<SellerNotification[]> {
  return recent.all(market, { sellerId, limit });
}
