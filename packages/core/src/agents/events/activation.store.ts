import { sql } from 'drizzle-orm';
import { statement } from '../../db/statement.ts';
import { agents, sellers } from '../../db/tables/agents.ts';
import { deliveryEndpoints } from '../../db/tables/delivery.ts';
import { agentEvents, sellerNotifications } from '../../db/tables/events.ts';
import { listings } from '../../db/tables/listings.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** How many of those that go live are named. */
const MAX_LISTED = 100;

/**
 * Tells a seller which of its pending listings go live: to be committed right before the statement that
 * makes them live, whose condition this repeats, since afterwards nothing says which they were. Says nothing
 * where there are none.
 */
export function recordActivation(
  sellerId: string,
  { eventId, notificationId }: { readonly eventId: string; readonly notificationId: string },
  at: IsoTime,
): Statement[] {
  return [
    statement(sql`INSERT INTO ${sellerNotifications} (id, seller_id, type, data, created_at)
      SELECT ${notificationId}, ${sellerId}, 'listing.activated',
        json_object('count', MAX(total), 'listingIds', json_group_array(id)), ${at}
      FROM (SELECT id, COUNT(*) OVER () AS total FROM ${listings}
        WHERE seller_id = ${sellerId} AND status = 'pending'
          AND EXISTS (SELECT 1 FROM ${deliveryEndpoints} WHERE ${deliveryEndpoints.sellerId} = ${sellerId})
          AND (price_cents = 0 OR (SELECT payouts FROM ${sellers} WHERE agent_id = ${sellerId}) = 'connected')
        ORDER BY created_at, id LIMIT ${sql.raw(String(MAX_LISTED))})
      HAVING COUNT(*) > 0`),
    statement(sql`INSERT INTO ${agentEvents} (id, agent_id, type, data, created_at, next_attempt_at)
      SELECT ${eventId}, seller_id, type, data, ${at}, ${at} FROM ${sellerNotifications}
      WHERE id = ${notificationId}
        AND EXISTS (SELECT 1 FROM ${agents} WHERE ${agents.id} = seller_id AND callback_url IS NOT NULL)`),
  ];
}
