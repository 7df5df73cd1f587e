import { expect, it } from 'vitest';
import { addSalesOfAllKinds } from '../testing/fixtures/sales-of-all-kinds.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const { DB } = testBindings;

it('the ledger reads as many rows at ten times the sales', async () => {
  await addSalesOfAllKinds(market, 90);
  const small = await rowsRead();
  expect(small).toBeGreaterThan(20);
  await addSalesOfAllKinds(market, 700);
  const large = await rowsRead();
  expect(large).toBeLessThanOrEqual(small * 1.1);
});

/** Of one page of ten with all totals, as the database itself counts them. */
async function rowsRead(): Promise<number> {
  // What was answered before is no longer fresh.
  market.clock.advance(6000);
  market.market.roundTrips.length = 0;
  await market.request('GET', '/proof/demand?limit=10');
  const bound = (sql: string) =>
    sql.includes('limit') || sql.includes('LIMIT') ? DB.prepare(sql).bind('~', '', 11) : DB.prepare(sql);
  const results = await DB.batch(market.market.roundTrips.flat().map(bound));
  return results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
}
