import type { SalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { expect } from 'vitest';

interface Page {
  readonly nextAfter: string | null;
  readonly sellers: readonly {
    readonly sellerId: string;
    readonly totals: Readonly<Record<string, number>>;
  }[];
}

/** The totals of each seller, since the first year of the tests, come to what lies in its escrow. */
export async function expectStatementsAddUp(sales: SalesMarketplace): Promise<void> {
  const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };
  const sums = new Map<string, number>();
  const lastYear = new Date(sales.market.clock.now()).getUTCFullYear();
  for (let year = 2026; year <= lastYear; year += 1)
    for (let after: string | null = ''; after !== null; ) {
      const path = `/admin/annual-totals?year=${year}&limit=100${after && `&after=${after}`}`;
      const { body, status } = await sales.request('GET', path, null, undefined, admin);
      if (status !== 200) throw new Error(JSON.stringify(body));
      const page = body as unknown as Page;
      for (const { sellerId, totals: t } of page.sellers) {
        const {
          grossSalesCents = 0,
          refundCents = 0,
          feeCents = 0,
          adjustmentCents = 0,
          payoutCents = 0,
        } = t;
        const change = grossSalesCents - refundCents - feeCents + adjustmentCents - payoutCents;
        sums.set(sellerId, (sums.get(sellerId) ?? 0) + change);
      }
      after = page.nextAfter;
    }
  const expected: [string, number][] = [];
  for (const sellerId of sums.keys()) expected.push([sellerId, await sales.account(`escrow:${sellerId}`)]);
  expect([...sums]).toEqual(expected);
}
