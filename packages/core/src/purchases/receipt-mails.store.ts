import { and, eq, isNull, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import { mailOutbox } from '../db/tables/mail.ts';
import { purchases } from '../db/tables/purchases.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { ReceiptMailFacts } from './receipt-mail.rules.ts';

const unwritten = query((p: Params<{ limit: number }>) =>
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
    .where(and(eq(mailOutbox.purpose, 'purchase_receipt'), isNull(mailOutbox.text)))
    .orderBy(mailOutbox.createdAt)
    .limit(p.limit),
);

/** Purchases whose mail was queued with their delivery, and has no text yet. */
export function listUnwrittenReceipts(market: Database, limit: number): Promise<ReceiptMailFacts[]> {
  return unwritten.all(market, { limit });
}
