import { and, count, eq, inArray } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { type Params, query } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import type { Database } from '../../kernel/ports/database.ts';
import { type ModerationCause, type SaleEffect, saleEffect } from './sale-effect.rules.ts';

const OPEN = ['pending_payment', 'authorized', 'held'] as const;

const openOf = (column: typeof purchases.listingId | typeof purchases.sellerId | typeof purchases.buyerId) =>
  query((p: Params<{ id: string }>) =>
    build
      .select({ status: purchases.status, sales: count() })
      .from(purchases)
      .where(and(eq(column, p.id), inArray(purchases.status, [...OPEN])))
      .groupBy(purchases.status),
  );
const OPEN_FOR = {
  listing_blocked: openOf(purchases.listingId),
  seller_suspended: openOf(purchases.sellerId),
  buyer_suspended: openOf(purchases.buyerId),
} as const;

/** What would become of open sales. */
export interface OpenSales {
  readonly cause: ModerationCause;
  readonly effect: SaleEffect;
  readonly sales: number;
  readonly status: (typeof OPEN)[number];
}

/** How many sales are open of a listing, a seller or a buyer, with what this cause would do to them. */
export async function countOpenSales(
  market: Database,
  cause: ModerationCause,
  id: string,
): Promise<OpenSales[]> {
  const rows = await OPEN_FOR[cause].all(market, { id });
  return OPEN.flatMap((status) => {
    const sales = rows.find((row) => row.status === status)?.sales ?? 0;
    return sales === 0 ? [] : [{ cause, effect: saleEffect(cause, status), sales, status }];
  });
}
