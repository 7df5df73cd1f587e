import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR_MS } from '../../kernel/time.ts';
import { carryForward, endPeriods } from '../../ledger/index.ts';
import { newListingOf } from '../../testing/fixtures/new-listing.ts';
import { newAgentOf } from '../../testing/fixtures/new-seller.ts';
import { emptyStorage, testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace, type TestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { endRecords } from './end-records.ts';

// What keeps records from ending, and that they end once it is over. They are of May 2026, and are kept for two years.

const AT = '2026-05-01T12:00:00.000Z';
let market: TestMarketplace;
let listing: Awaited<ReturnType<typeof newListingOf>>;

beforeEach(async () => {
  emptyStorage?.();
  market = createTestMarketplace();
  listing = await newListingOf(market);
});
afterEach(() => market.background.settled());

const rows = async (sql: string) => (await testBindings.DB.prepare(sql).all()).results;
const run = (...statements: string[]) =>
  testBindings.DB.batch(statements.map((sql) => testBindings.DB.prepare(sql)));
const idOf = (number: number) => `${number}0000000-0000-4000-8000-000000000000`;

function sale(number: number, status: 'held' | 'released', cents: number): string[] {
  const id = idOf(number);
  return [
    `INSERT INTO purchases (id, listing_id, seller_id, status, rail, amount_cents, platform_fee_cents, fee_schedule_version,
      listing_version, content_digest, delivered_at, created_at) VALUES ('${id}', '${listing.id}', '${listing.seller.id}',
      '${status}', 'card', ${cents}, ${cents / 20}, 1, 1, 'sha256:${'0'.repeat(64)}', '${AT}', '${AT}')`,
    ...(cents === 0
      ? []
      : [
          `INSERT INTO payments (purchase_id, payer_account, fingerprint, fulfilment, hold_hours) VALUES ('${id}',
            'card_clearing', 'sha256:', 'digital', 72)`,
          posting('capture', id, { card_clearing: -1000, [`escrow:${listing.seller.id}`]: 950, fees: 50 }),
        ]),
    ...(cents === 0 || status === 'held' ? [] : [payout(number)]),
  ];
}
const payout = (number: number) =>
  posting('payout', idOf(number), { [`escrow:${listing.seller.id}`]: -950, payouts: 950 });
const posting = (kind: string, reference: string, legs: Readonly<Record<string, number>>) =>
  `INSERT INTO ledger_postings (id, kind, reference, legs, created_at) VALUES ('${kind}-${reference}', '${kind}', '${reference}',
    '${JSON.stringify(Object.entries(legs).map(([account, amountCents]) => ({ account, amountCents })))}', '${AT}')`;

/** May is over, and years later its records are to end. */
async function passYears(): Promise<void> {
  market.clock.set(Date.parse('2026-06-02T00:00:00.000Z'));
  await endPeriods(market.newPorts());
  market.clock.set(Date.parse('2029-01-01T00:00:00.000Z'));
}
const closeMonth = () => run(`UPDATE ledger_periods SET closed_at = '${AT}', balances = '{}'`);

/** What is told in the next hour, whose every minute the job runs in. */
async function nextHour(): Promise<unknown[]> {
  const lineCount = market.log.lines.length;
  await carryForward(market.newPorts());
  for (let minute = 0; minute < 60; minute += 1) {
    await endRecords(market.newPorts(), { recordsYears: 2 });
    market.clock.advance(HOUR_MS / 60);
  }
  return market.log.lines
    .slice(lineCount)
    .filter(({ event }) => event === 'records_kept')
    .map(({ fields }) => fields);
}
const left = async (table: string) => (await rows(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);

it('tells once an hour which month and which open sale keep what comes after them', async () => {
  await run(...sale(1, 'released', 1000), ...sale(2, 'held', 1000), ...sale(3, 'released', 1000));
  expect(await nextHour()).toEqual([]);
  await passYears();
  expect(await nextHour()).toEqual([{ month: '2026-05' }]);
  expect(await left('purchases')).toEqual([idOf(1), idOf(2), idOf(3)]);
  await closeMonth();
  expect(await nextHour()).toEqual([]);
  expect(await nextHour()).toEqual([{ subject: `purchase:${idOf(2)}` }]);
  expect(await left('purchases')).toEqual([idOf(2), idOf(3)]);

  for (const status of ['releasing', 'released'])
    await run(`UPDATE purchases SET status = '${status}' WHERE id = '${idOf(2)}'`);
  await run(payout(2));
  await nextHour();
  expect(await nextHour()).toEqual([]);
  // It was paid out in a later year, with which it ends.
  expect(await left('purchases')).toEqual([idOf(2)]);
});

it('never gives the number of an entry twice, though all others ended and nothing is sold for years', async () => {
  await run(...sale(7, 'released', 1000));
  await passYears();
  await closeMonth();
  const [last] = await rows('SELECT MAX(id) AS id FROM ledger_entries');
  await nextHour();
  await endPeriods(market.newPorts());
  await run(...sale(8, 'released', 1000));
  const [next] = await rows("SELECT MIN(id) AS id FROM ledger_entries WHERE posting_id LIKE 'capture-8%'");
  expect(Number(next?.id)).toBeGreaterThan(Number(last?.id));
  // Nothing is left of the older once something newer was posted.
  await nextHour();
  expect(await left('purchases')).toEqual([idOf(8)]);
});

it('looks again within the hour at what was open, and then ended', async () => {
  await run(...sale(4, 'held', 0), ...sale(5, 'released', 0));
  await passYears();
  await nextHour();
  expect(await left('purchases')).toEqual([idOf(4)]);
  for (const status of ['releasing', 'released'])
    await run(`UPDATE purchases SET status = '${status}' WHERE id = '${idOf(4)}'`);
  await nextHour();
  expect(await left('purchases')).toEqual([]);
});

it('ends what a bank took, though the wallet had less, as the loss that it is', async () => {
  const { id: agentId } = await newAgentOf(market);
  const [topUpId, wallet] = [idOf(6), `wallet:${agentId}`];
  await run(
    `INSERT INTO wallets (agent_id, funded_cents) VALUES ('${agentId}', 1000)`,
    `INSERT INTO wallet_top_ups (id, agent_id, amount_cents, status, source, payment_id, created_at, expires_at, look_at)
      VALUES ('${topUpId}', '${agentId}', 1000, 'paid', 'checkout', 'pay', '${AT}', '${AT}', '${AT}')`,
    posting('top_up', topUpId, { card_clearing: -1000, [wallet]: 1000 }),
    posting('adjustment', 'spent', { [wallet]: -700, adjustments: 700 }),
    `INSERT INTO chargebacks (dispute_id, payment_id, top_up_id, agent_id, amount_cents, status, withdrawn_cents, covered_cents,
      opened_at, settled_at, revision) VALUES ('dp', 'pay', '${topUpId}', '${agentId}', 1000, 'lost', 1000, 300, '${AT}', '${AT}', 1)`,
    posting('chargeback', `${topUpId}:dp`, { card_clearing: 1000, [wallet]: -300, chargebacks: -700 }),
    ...sale(9, 'released', 1000),
  );
  await passYears();
  await closeMonth();
  await nextHour();
  expect(await rows('SELECT dispute_id FROM chargebacks')).toEqual([]);
  expect(await left('wallet_top_ups')).toEqual([]);
  expect(await rows("SELECT balance_cents FROM ledger_accounts WHERE account = 'chargebacks'")).toEqual([
    { balance_cents: -700 },
  ]);
});
