import { and, eq, exists, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents, sellers } from '../../db/tables/agents.ts';
import { deliveryEndpoints } from '../../db/tables/delivery.ts';
import { agentEvents, sellerNotifications } from '../../db/tables/events.ts';
import { listings } from '../../db/tables/listings.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { IS_PUSHED, NEXT_SEQUENCE } from './agent-events.store.ts';

/** How many of the activated listings are named. */
const MAX_LISTED = 100;

interface NewNotification {
  readonly sellerId: string;
  readonly notificationId: string;
  readonly at: IsoTime;
}

/** The condition of `activatePendingListings`. */
const insertNotification = write((p: Params<NewNotification>) => {
  const hasEndpoint = exists(
    build
      .select({ sellerId: deliveryEndpoints.sellerId })
      .from(deliveryEndpoints)
      .where(eq(deliveryEndpoints.sellerId, p.sellerId)),
  );
  const activated = build
    .select({ id: listings.id, total: sql<number>`COUNT(*) OVER ()` })
    .from(listings)
    .where(
      and(
        eq(listings.sellerId, p.sellerId),
        eq(listings.status, 'pending'),
        hasEndpoint,
        sql`(SELECT ${agents.suspendedAt} FROM ${agents} WHERE ${agents.id} = ${p.sellerId}) IS NULL`,
        sql`(${listings.priceCents} = 0 OR
          (SELECT ${sellers.payouts} FROM ${sellers} WHERE ${sellers.agentId} = ${p.sellerId}) = 'connected')`,
      ),
    )
    .orderBy(listings.createdAt, listings.id)
    .limit(MAX_LISTED)
    .as('activated');
  return insertFrom(
    sellerNotifications,
    {
      id: p.notificationId,
      sellerId: p.sellerId,
      type: 'listing.activated',
      data: sql`json_object('count', MAX(total), 'listingIds', json_group_array(id))`,
      createdAt: p.at,
    },
    (select) => select.from(activated).having(sql`COUNT(*) > 0`),
  );
});

const insertEvent = query((p: Params<{ eventId: string; notificationId: string; at: IsoTime }>) =>
  insertFrom(
    agentEvents,
    {
      id: p.eventId,
      agentId: sellerNotifications.sellerId,
      type: sql`${sellerNotifications.type}`,
      data: sellerNotifications.data,
      createdAt: p.at,
      nextAttemptAt: p.at,
      isPushed: IS_PUSHED,
      sequence: NEXT_SEQUENCE,
    },
    (select) =>
      select
        .from(sellerNotifications)
        .innerJoin(agents, eq(agents.id, sellerNotifications.sellerId))
        .where(eq(sellerNotifications.id, p.notificationId)),
  ).returning({ sequence: agentEvents.sequence }),
);

/**
 * Tells a seller which of its pending listings are activated. Commit it right before the statement that activates
 * them, whose condition it repeats: afterwards nothing says which they were. Writes nothing where there are none.
 */
export function recordActivation(
  sellerId: string,
  { eventId, notificationId }: { readonly eventId: string; readonly notificationId: string },
  at: IsoTime,
): Statement[] {
  return [
    insertNotification({ sellerId, notificationId, at }),
    { ...insertEvent.statement({ eventId, notificationId, at }), wakes: sellerId },
  ];
}
