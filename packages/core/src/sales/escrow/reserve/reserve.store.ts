import { and, eq, gte, isNull, lt, lte, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { asInteger, build } from '../../../db/build.ts';
import { guardOneChange } from '../../../db/guard.ts';
import { type Params, query, write } from '../../../db/query.ts';
import { payoutTotals } from '../../../db/tables/payouts.ts';
import { purchases } from '../../../db/tables/purchases.ts';
import { gatheredSales, payments } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { hasStatus } from '../../sales.store.ts';
import type { PayoutRecord } from './reserve.rules.ts';

const sumOf = (cents: SQLWrapper, condition: SQL = sql`1`) =>
  sql<number>`COALESCE(SUM(CASE WHEN ${condition} THEN ${cents} END), 0)`;

const records = query((p: Params<{ sellerIds: string; since: string }>) =>
  build
    .select({
      sellerId: payoutTotals.sellerId,
      outstandingCents: sumOf(payoutTotals.sentCents, gte(payoutTotals.day, p.since)),
      pastCents: sumOf(payoutTotals.sentCents, lt(payoutTotals.day, p.since)),
      disputedCents: sumOf(payoutTotals.disputedCents),
    })
    .from(payoutTotals)
    .where(sql`${payoutTotals.sellerId} IN (SELECT value FROM json_each(${p.sellerIds}))`)
    .groupBy(payoutTotals.sellerId),
);

const NOTHING_SENT: PayoutRecord = { outstandingCents: 0, pastCents: 0, disputedCents: 0 };

/** What sellers were sent of revocable sales; `since`: the first day that is outstanding. */
export async function readPayoutRecords(
  market: Database,
  sellerIds: readonly string[],
  since: string,
): Promise<(sellerId: string) => PayoutRecord> {
  const rows =
    sellerIds.length === 0 ? [] : await records.all(market, { sellerIds: JSON.stringify(sellerIds), since });
  const bySeller = new Map(rows.map((row) => [row.sellerId, row]));
  return (sellerId) => bySeller.get(sellerId) ?? NOTHING_SENT;
}

/** As a condition of a payout: with it, no more is outstanding than may be, whoever else pays at this moment. */
export function fitsUnder(
  p: Params<{ id: string; amountCents: number; since: string; limitCents: number }>,
): SQL {
  const seller = build.select({ id: purchases.sellerId }).from(purchases).where(eq(purchases.id, p.id));
  const sent = build
    .select({ cents: sql`COALESCE(SUM(${payoutTotals.sentCents}), 0)` })
    .from(payoutTotals)
    .where(and(eq(payoutTotals.sellerId, sql`${seller}`), gte(payoutTotals.day, p.since)));
  return sql`${asInteger(p.amountCents)} + ${sent} <= ${asInteger(p.limitCents)}`;
}

const reserveShare = write((p: Params<{ id: string; at: IsoTime; until: IsoTime }>) =>
  build
    .update(payments)
    .set({ reserveUntil: p.until, dueAt: p.until, attempts: 0 })
    .where(
      and(
        eq(payments.purchaseId, p.id),
        lte(payments.dueAt, p.at),
        lte(payments.holdUntil, p.at),
        isNull(payments.refundRequestedAt),
        hasStatus(p.id, 'held'),
      ),
    ),
);

const dropGathered = write((p: Params<{ id: string }>) =>
  build.delete(gatheredSales).where(eq(gatheredSales.purchaseId, p.id)),
);

/** Keeps the seller's share of a sale whose time in escrow is over: once, if the sale is still due. */
export function keepInReserve(id: string, at: IsoTime, until: IsoTime): Statement[] {
  return [reserveShare({ id, at, until }), guardOneChange('purchase_due'), dropGathered({ id })];
}

const reserveOf = query((p: Params<{ sellerId: string; now: IsoTime }>) =>
  build
    .select({
      cents: sql<number>`COALESCE(SUM(${purchases.amountCents} - ${purchases.platformFeeCents} - ${payments.takenNetCents}), 0)`,
    })
    .from(purchases)
    .innerJoin(payments, eq(payments.purchaseId, purchases.id))
    .where(
      and(
        eq(purchases.sellerId, p.sellerId),
        eq(purchases.status, sql.raw("'held'")),
        sql`${purchases.amountCents} > 0`,
        not(isNull(payments.reserveUntil)),
        sql`${payments.reserveUntil} > ${p.now}`,
      ),
    ),
);

/** What is kept of a seller's sales, net of fees. */
export async function readReserve(market: Database, sellerId: string, now: IsoTime): Promise<number> {
  return (await reserveOf.first(market, { sellerId, now }))?.cents ?? 0;
}
