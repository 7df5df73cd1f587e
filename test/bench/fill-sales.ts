import { purchases } from '@agent-marketplace/core/db/tables/purchases.ts';
import type { Database } from '@agent-marketplace/core/kernel/ports/database.ts';
import { idOf, listingIdOf, portions, priceCentsOf, sellerIdOf, timeAt, timeOf } from './fill.ts';
import { insertRows } from './insert-rows.ts';

/** In the ids of the sales. */
const KIND = '2222';
const RAILS = ['wallet', 'card'] as const;

/** A sale of each listing of the benchmark to another of its agents, spread over time; the triggers do the rest. */
export async function fillSales(market: Database, sales: number): Promise<void> {
  const counted = await market.first<{ count: number }>({
    sql: 'SELECT COUNT(*) AS count FROM purchases WHERE id LIKE ?',
    params: [`%-${KIND}-4000-8000-%`],
  });
  if ((counted?.count ?? 0) >= sales) return;
  for (const portion of portions(sales)) await insertRows(market, purchases, portion.map(saleRow));
}

function saleRow(n: number): typeof purchases.$inferInsert {
  const at = timeOf(n);
  return {
    id: idOf(KIND, n),
    listingId: listingIdOf(n),
    sellerId: sellerIdOf(n),
    buyerId: sellerIdOf(n + 1),
    status: n % 3 === 0 ? 'held' : 'released',
    rail: RAILS[n % 2] ?? 'wallet',
    amountCents: priceCentsOf(n),
    platformFeeCents: Math.floor(priceCentsOf(n) / 20),
    feeScheduleVersion: 1,
    listingVersion: 1,
    contentDigest: 'sha256:0',
    deliveredAt: at,
    createdAt: at,
  };
}

/** Pages of the demand ledger, each from another place in its newer half: none is in an isolate's memory twice. */
export function ledgerPages(pages: number): string[] {
  return Array.from({ length: pages }, (_, n) => {
    const at = timeAt(0.5 + n / pages / 2);
    const cursor = `${at}_00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
    return `/api/proof/demand?limit=100&cursor=${cursor}`;
  });
}
