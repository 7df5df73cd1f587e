import { expect, inject, it } from 'vitest';
import { newListingOf } from '../testing/new-listing.ts';
import { testBindings } from '../testing/workers-bindings.ts';
import { createTestMarketplace } from '../testing/workers-harness.ts';
import { carryForward, endPeriods } from './index.ts';
import { readUpcoming } from './outside/upcoming.store.ts';
import { readBalancesUpTo } from './periods.store.ts';
import { reconcile } from './reconcile.ts';

// What the reports of the ledger read, as D1 counts it, in two ledgers: what is open, and the month, are the same in both.

const market = createTestMarketplace();
const { DB } = testBindings;
const AT = '2026-05-01T12:00:00.000Z';
declare module 'vitest' {
  interface ProvidedContext {
    /** How many sales the larger ledger has, in two postings each; by vitest.config.ts. */
    ledgerSales: number;
  }
}

const SIZES = { small: 500, large: inject('ledgerSales') };
const AT_ONCE = 2500;

/** Sales by card from one number to another, in two postings each. */
async function addSales(from: number, to: number, of: { id: string; sellerId: string }, status: string) {
  const isOver = status === 'released';
  const numbered = `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to}),
    sale AS (SELECT printf('00000000-0000-4000-8000-%012d', i) AS id FROM n)`;
  const leg = (account: string, cents: number) =>
    `json_object('account', '${account}', 'amountCents', ${cents})`;
  const posting = (kind: string, ...legs: string[]) =>
    `INSERT INTO ledger_postings (id, kind, reference, legs, created_at) ${numbered}
      SELECT '${kind}-' || id, '${kind}', id, json_array(${legs.join()}), '${AT}' FROM sale`;
  const escrow = `escrow:${of.sellerId}`;
  await DB.batch(
    [
      `INSERT INTO purchases (id, listing_id, seller_id, status, rail, amount_cents, platform_fee_cents, fee_schedule_version,
        listing_version, content_digest, delivered_at, created_at) ${numbered}
        SELECT id, '${of.id}', '${of.sellerId}', '${status}', 'card', 1000, 50, 1, 1, 'sha256:${'0'.repeat(64)}', '${AT}', '${AT}'
        FROM sale`,
      `INSERT INTO payments (purchase_id, payer_account, fingerprint, fulfilment, hold_hours, hold_until, due_at) ${numbered}
        SELECT id, 'card_clearing', 'sha256:', 'digital', 72, '${AT}', ${isOver ? 'NULL' : `'${AT}'`} FROM sale`,
      posting('capture', leg('card_clearing', -1000), leg(escrow, 950), leg('fees', 50)),
      ...(isOver ? [posting('payout', leg(escrow, -950), leg('payouts', 950))] : []),
    ].map((sql) => DB.prepare(sql)),
  );
}

it('grows with what is open and with one month, not with the ledger', async () => {
  const { id, seller } = await newListingOf(market);
  const of = { id, sellerId: seller.id };
  const ports = market.newPorts();
  const read = async (work: () => Promise<unknown>) => {
    market.market.reset();
    await work();
    return market.market.rowsRead;
  };
  const outside = { processor: null, chain: null };
  const looks = async () => ({
    reconcile: await read(() => reconcile(ports.market, outside, market.clock.now())),
    upcoming: await read(() => readUpcoming(ports.market, AT, null)),
    balances: await read(() => readBalancesUpTo(ports.market, 1e9)),
    carried: await read(() => carryForward(ports)),
  });
  /** The month ends, and what is over is carried. */
  async function closeMonth(time: string): Promise<void> {
    market.clock.set(Date.parse(time));
    await endPeriods(ports);
    for (;;) {
      const [row] = (await DB.prepare('SELECT COUNT(*) AS n FROM open_subjects').all<{ n: number }>())
        .results;
      if (row?.n === 20) return;
      await carryForward(ports);
    }
  }
  await addSales(100_000, 100_020, of, 'held');
  await addSales(0, SIZES.small, of, 'released');
  await closeMonth('2026-06-02T00:00:00.000Z');
  const small = await looks();
  for (let from = SIZES.small; from < SIZES.large; from += AT_ONCE)
    await addSales(from, Math.min(from + AT_ONCE, SIZES.large), of, 'released');
  await closeMonth('2026-07-02T00:00:00.000Z');
  const large = await looks();
  console.log('rows read', JSON.stringify({ sizes: SIZES, small, large }));
  for (const [what, rows] of Object.entries(large))
    expect(rows, what).toBeLessThanOrEqual(1.1 * small[what as keyof typeof small] + 10);
  const report = await reconcile(ports.market, outside, market.clock.now());
  expect([report.findings, report.feesCents]).toEqual([[], 50 * (SIZES.large + 20)]);
  expect(await readBalancesUpTo(ports.market, 1e9)).toEqual({
    card_clearing: -1000 * (SIZES.large + 20),
    escrow: 950 * 20,
    fees: 50 * (SIZES.large + 20),
    payouts: 950 * SIZES.large,
  });
}, 600_000);
