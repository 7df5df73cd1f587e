import { and, count, eq, exists, gt, isNotNull, notExists, or, type Placeholder, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { build } from '../db/build.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, write } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { sellerNotifications } from '../db/tables/events.ts';
import { isAddress, type MailPurpose, mailOutbox, personOf } from '../db/tables/mail.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { DAY_MS, epochOf, type IsoTime, isoTime } from '../kernel/time.ts';

/** Counted apart: changes of an endpoint cost nothing, and must not use up what changes of payouts need. */
export type NoticePurpose = Extract<MailPurpose, 'payout_notice' | 'endpoint_notice'>;

/** More than the changes that a seller can make of its payouts in a day. */
const NOTICES_A_DAY = 10;
/** Anybody registers a seller with any address: a stranger's must not be flooded. */
const NOTICES_OF_UNPROVEN_SELLERS_A_DAY = 3;

const earlier = alias(mailOutbox, 'earlier');

const paidSale = build
  .select({ id: purchases.id })
  .from(purchases)
  .where(
    and(eq(purchases.sellerId, agents.id), gt(purchases.amountCents, 0), isNotNull(purchases.deliveredAt)),
  );

const earlierNotices = (p: { readonly purpose: Placeholder; readonly dayAgo: Placeholder }) =>
  build
    .select({ sent: count() })
    .from(earlier)
    .innerJoin(sellerNotifications, eq(sellerNotifications.id, earlier.reference))
    .where(
      and(
        sql`${earlier.purpose} = ${p.purpose}`,
        eq(earlier.person, personOf(agents.email)),
        sql`${earlier.createdAt} > ${p.dayAgo}`,
        or(eq(sellerNotifications.sellerId, agents.id), notExists(paidSale)),
      ),
    );

const insertNoticeMail = write(
  (
    p: Params<{
      sellerId: string;
      purpose: NoticePurpose;
      notificationId: string;
      at: IsoTime;
      dayAgo: IsoTime;
    }>,
  ) => {
    const most = sql`CASE WHEN ${exists(paidSale)} THEN ${NOTICES_A_DAY} ELSE ${NOTICES_OF_UNPROVEN_SELLERS_A_DAY} END`;
    return insertFrom(
      mailOutbox,
      {
        purpose: p.purpose,
        reference: p.notificationId,
        recipient: sql`${agents.email}`,
        createdAt: p.at,
      },
      (select) =>
        select
          .from(agents)
          .where(
            and(eq(agents.id, p.sellerId), isAddress(agents.email), sql`${earlierNotices(p)} < ${most}`),
          ),
    ).onConflictDoNothing();
  },
);

/**
 * Queues the mail of a seller's notification, to be written later (`writeMail`), if the seller gave an address. None is
 * queued where too many were within a day: about this seller, if it sold something for money, so that nobody else who
 * gives its address keeps its own mail away; else about any seller with this address.
 */
export function queueNoticeMail(
  sellerId: string,
  mail: { readonly purpose: NoticePurpose; readonly notificationId: string },
  at: IsoTime,
): Statement {
  return insertNoticeMail({ sellerId, ...mail, at, dayAgo: isoTime(epochOf(at) - DAY_MS) });
}
