import { and, countDistinct, desc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { ledgerEntries, ledgerPostings } from '../db/tables/ledger.ts';
import { listings } from '../db/tables/listings.ts';
import { purchases } from '../db/tables/purchases.ts';
import { saleTotals } from '../db/tables/ratings.ts';
import { gatheredSales, payments } from '../db/tables/sales.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { escrowAccount } from '../ledger/index.ts';

/** What paid sales come to. What the seller gets is net of fees. */
export interface Earnings {
  readonly availableCents: number;
  readonly grossCents: number;
  readonly pendingCents: number;
  readonly platformFeeCents: number;
  readonly salesCount: number;
}

export interface ListingEarnings extends Earnings {
  readonly listingId: string;
  readonly priceCents: number;
  readonly status: 'pending' | 'active' | 'inactive';
  readonly title: string;
}

/** A sale whose share has left for the seller. */
export interface ReleasedPayout {
  readonly amountCents: number;
  readonly listingId: string;
  readonly purchaseId: string;
  readonly releasedAt: IsoTime;
}

/** A seller's totals by listing and state. Triggers keep them, so the cost is by listings that sold, not by sales. */
const totalsOf = (p: Params<{ sellerId: string }>) =>
  and(eq(saleTotals.sellerId, p.sellerId), gt(saleTotals.sales, 0));

/** What banks took of sales that stand came out of the seller's share and of the fee. */
const netCents = sql`${saleTotals.grossCents} - ${saleTotals.feeCents} - ${saleTotals.takenNetCents}`;
const isReleased = eq(saleTotals.status, 'released');
const grossCents = total(saleTotals.grossCents);

const SUMS = {
  availableCents: total(sql`CASE WHEN ${isReleased} THEN ${netCents} END`),
  grossCents,
  pendingCents: total(sql`CASE WHEN NOT ${isReleased} THEN ${netCents} END`),
  platformFeeCents: total(sql`${saleTotals.feeCents} - ${saleTotals.takenFeeCents}`),
  salesCount: total(saleTotals.sales),
};

function total(amounts: SQL | SQLiteColumn) {
  return sql<number>`TOTAL(${amounts})`;
}

const totals = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ earnings: SUMS, listings: countDistinct(saleTotals.listingId) })
    .from(saleTotals)
    .where(totalsOf(p)),
);

const byListing = query((p: Params<{ sellerId: string; limit: number; offset: number }>) =>
  build
    .select({
      ...SUMS,
      listingId: saleTotals.listingId,
      priceCents: listings.priceCents,
      status: listings.status,
      title: listings.title,
    })
    .from(saleTotals)
    .innerJoin(listings, eq(listings.id, saleTotals.listingId))
    .where(totalsOf(p))
    .groupBy(saleTotals.listingId)
    .orderBy(desc(grossCents), saleTotals.listingId)
    .limit(p.limit)
    .offset(p.offset),
);

const releasedPayouts = query((p: Params<{ account: string; limit: number }>) =>
  build
    .select({
      amountCents: sql<number>`-${ledgerEntries.amountCents}`,
      listingId: purchases.listingId,
      purchaseId: ledgerPostings.reference,
      releasedAt: ledgerPostings.createdAt,
    })
    .from(ledgerEntries)
    .innerJoin(ledgerPostings, eq(ledgerPostings.id, ledgerEntries.postingId))
    .innerJoin(purchases, eq(purchases.id, ledgerPostings.reference))
    .where(and(eq(ledgerEntries.account, p.account), eq(ledgerPostings.kind, 'payout')))
    .orderBy(desc(ledgerEntries.id))
    .limit(p.limit),
);

const waiting = query((p: Params<{ sellerId: string }>) =>
  build
    .select({
      amountCents: total(
        sql`${purchases.amountCents} - ${purchases.platformFeeCents}
          - ${payments.takenNetCents}`,
      ),
      salesCount: sql<number>`COUNT(*)`,
      until: sql<IsoTime | null>`MIN(${gatheredSales.waitsUntil})`,
    })
    .from(gatheredSales)
    .innerJoin(purchases, eq(purchases.id, gatheredSales.purchaseId))
    .innerJoin(payments, eq(payments.purchaseId, gatheredSales.purchaseId))
    .where(and(eq(gatheredSales.sellerId, p.sellerId), isNotNull(payments.dueAt))),
);

/** What is due to a seller and waits for more, so that one payout covers its gas. Null: nothing. */
export async function readPayoutsWaiting(market: Database, sellerId: string) {
  const row = await waiting.first(market, { sellerId });
  if (!row || row.until === null) return null;
  return { ...row, reason: 'gathering' as const, until: row.until };
}

export async function readEarnings(
  market: Database,
  sellerId: string,
): Promise<{ earnings: Earnings; listings: number }> {
  const row = await totals.first(market, { sellerId });
  if (!row) throw new Error('A sum is always there.');
  return row;
}

/** What earned most comes first. */
export function listEarnings(
  market: Database,
  sellerId: string,
  page: { limit: number; offset: number },
): Promise<ListingEarnings[]> {
  return byListing.all(market, { sellerId, ...page });
}

/** From the ledger, the last released first. */
export function listReleasedPayouts(
  market: Database,
  sellerId: string,
  limit: number,
): Promise<ReleasedPayout[]> {
  return releasedPayouts.all(market, { account: escrowAccount(sellerId), limit });
}
