import { expect, it } from 'vitest';
import { carryForward, endPeriods } from '../../ledger/index.ts';
import { newListingOf } from '../../testing/fixtures/new-listing.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { endRecords } from './end-records.ts';

// What one run of the job reads, as D1 counts it, where 400 sales are to end and where 4,000 are.

const market = createTestMarketplace();
const { DB } = testBindings;
const SIZES = { small: 400, large: 4000 };

async function rows(sql: string): Promise<number> {
  const [row] = (await DB.prepare(sql).all<{ n: number }>()).results;
  return row?.n ?? 0;
}

/** What the largest of some runs reads. */
async function readByRuns(runs: number): Promise<number> {
  let most = 0;
  for (let run = 0; run < runs; run += 1) {
    market.market.reset();
    await endRecords(market.newPorts(), { recordsYears: 2 });
    most = Math.max(most, market.market.rowsRead);
  }
  return most;
}

it('does not grow with what is there', async () => {
  const { id, seller } = await newListingOf(market);
  const ports = market.newPorts();
  const escrow = `escrow:${seller.id}`;

  /** Sales by card of that year, in two postings each, whose month is closed. */
  async function sell(year: number, from: number, count: number): Promise<void> {
    const at = `${year}-05-01T12:00:00.000Z`;
    const sales = `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${from + count}),
      one AS (SELECT printf('00000000-0000-4000-8000-%012d', i) AS id FROM n)`;
    const leg = (account: string, cents: number) =>
      `json_object('account', '${account}', 'amountCents', ${cents})`;
    const posted = (kind: string, ...legs: string[]) =>
      `INSERT INTO ledger_postings (id, kind, reference, legs, created_at) ${sales}
        SELECT '${kind}-' || id, '${kind}', id, json_array(${legs.join()}), '${at}' FROM one`;
    await DB.batch(
      [
        `INSERT INTO purchases (id, listing_id, seller_id, status, rail, amount_cents, platform_fee_cents, fee_schedule_version,
          listing_version, content_digest, delivered_at, created_at) ${sales} SELECT id, '${id}', '${seller.id}', 'released', 'card',
          1000, 50, 1, 1, 'sha256:${'0'.repeat(64)}', '${at}', '${at}' FROM one`,
        `INSERT INTO payments (purchase_id, payer_account, fingerprint, fulfilment, hold_hours) ${sales}
          SELECT id, 'card_clearing', 'sha256:', 'digital', 72 FROM one`,
        posted('capture', leg('card_clearing', -1000), leg(escrow, 950), leg('fees', 50)),
        posted('payout', leg(escrow, -950), leg('payouts', 950)),
      ].map((sql) => DB.prepare(sql)),
    );
    market.clock.set(Date.parse(`${year}-06-02T00:00:00.000Z`));
    while ((await rows('SELECT COUNT(*) AS n FROM open_subjects')) > 0) await carryForward(ports);
    for (let run = 0; run < 14; run += 1) await endPeriods(ports);
    await DB.exec(`UPDATE ledger_periods SET closed_at = '${at}', balances = '{}' WHERE closed_at IS NULL`);
  }
  const young = () => rows("SELECT COUNT(*) AS n FROM purchases WHERE created_at > '2027'");
  const left = (table: string) => rows(`SELECT COUNT(*) AS n FROM ${table} WHERE id <> 'carried'`);
  /** The ledger first, then purchases, then a run that finds nothing. */
  async function ends(count: number, time: string) {
    market.clock.set(Date.parse(time));
    const steps = Math.ceil((5 * count) / 200);
    const ledger = await readByRuns(steps);
    expect(await left('ledger_postings')).toBe(1);
    const purchases = await readByRuns(Math.ceil(count / 200) + 10);
    // The newest entry stays until there is a newer one, and its sale with it.
    expect(await left('purchases')).toBe(1);
    return { ledger, purchases, none: await readByRuns(10) };
  }
  await sell(2026, 0, SIZES.small);
  const small = await ends(SIZES.small, '2029-01-01T00:01:00.000Z');
  await sell(2027, 10_000, SIZES.large);
  // Young rows, none of which ends yet.
  market.clock.set(Date.parse('2029-12-31T00:00:00.000Z'));
  const waiting = await readByRuns(10);
  expect(await young()).toBe(SIZES.large);
  const large = await ends(SIZES.large, '2030-01-01T00:01:00.000Z');
  console.log('rows read', JSON.stringify({ sizes: SIZES, small, large, waiting }));
  for (const [what, read] of Object.entries(large))
    expect(read, what).toBeLessThanOrEqual(1.2 * small[what as keyof typeof small] + 50);
  expect(waiting).toBeLessThanOrEqual(1.2 * small.purchases + 50);
}, 600_000);
