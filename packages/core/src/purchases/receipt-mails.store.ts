import { and, eq, isNull, type Placeholder, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import { mailOutbox } from '../db/tables/mail.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { ReceiptMailFacts } from './receipt-mail.rules.ts';

const isUnwritten = and(eq(mailOutbox.purpose, 'purchase_receipt'), isNull(mailOutbox.text));

/**
 * Unwritten receipts with their place among those of their person: after those that it was mailed one by one since a
 * time. What another mail names has an empty subject.
 */
const inPlace = (dayAgo: Placeholder, most: Placeholder) => sql`(SELECT reference FROM (
  SELECT queued.reference, ROW_NUMBER() OVER (PARTITION BY queued.person ORDER BY queued.created_at, queued.reference)
    + (SELECT COUNT(*) FROM ${mailOutbox} AS mailed WHERE mailed.person = queued.person
      AND mailed.purpose = 'purchase_receipt' AND mailed.created_at > ${dayAgo} AND mailed.subject <> '') AS place
  FROM ${mailOutbox} AS queued WHERE queued.purpose = 'purchase_receipt' AND queued.text IS NULL
) WHERE place <= ${most})`;

const unwritten = query((p: Params<{ dayAgo: IsoTime; most: number; limit: number }>) =>
  build
    .select({
      purchaseId: purchases.id,
      title: listings.title,
      amountCents: purchases.amountCents,
      rail: purchases.rail,
      // What was delivered has both.
      deliveredAt: sql<IsoTime>`${purchases.deliveredAt}`,
      contentDigest: sql<string>`${purchases.contentDigest}`,
      receipt: sql<string | null>`${purchases.receipt}`,
    })
    .from(mailOutbox)
    .innerJoin(purchases, eq(purchases.id, mailOutbox.reference))
    .innerJoin(listings, eq(listings.id, purchases.listingId))
    .where(and(isUnwritten, sql`${mailOutbox.reference} IN ${inPlace(p.dayAgo, p.most)}`))
    .orderBy(mailOutbox.createdAt)
    .limit(p.limit),
);

/**
 * Purchases whose mail was queued with their delivery, and has no text yet: of each person so many that it was mailed no
 * more than `most` receipts since `dayAgo`.
 */
export function listUnwrittenReceipts(
  market: Database,
  page: { readonly dayAgo: IsoTime; readonly most: number; readonly limit: number },
): Promise<ReceiptMailFacts[]> {
  return unwritten.all(market, page);
}

const waitedADay = query((p: Params<{ dayAgo: IsoTime; limit: number }>) =>
  build
    .select({
      person: sql<string>`${mailOutbox.person}`,
      purchaseIds: sql`json_group_array(${mailOutbox.reference} ORDER BY ${mailOutbox.createdAt},
        ${mailOutbox.reference})`.mapWith((json: string) => JSON.parse(json) as string[]),
    })
    .from(mailOutbox)
    .where(isUnwritten)
    .groupBy(mailOutbox.person)
    .having(sql`MIN(${mailOutbox.createdAt}) <= ${p.dayAgo}`)
    .limit(p.limit),
);

/** What persons were not mailed for a day, because they had too many receipts. */
export function listWaitingReceipts(
  market: Database,
  page: { readonly dayAgo: IsoTime; readonly limit: number },
): Promise<{ person: string; purchaseIds: string[] }[]> {
  return waitedADay.all(market, page);
}
