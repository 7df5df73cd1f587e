import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { carryForward, endPeriods } from '@agent-marketplace/core/ledger/index.ts';
import { reconcile } from '@agent-marketplace/core/ledger/reconcile.ts';
import { endRecords } from '@agent-marketplace/core/privacy/index.ts';
import { expect } from 'vitest';
import { createFaultWorld, type FaultWorld } from './fault-world.ts';
import { breakEverywhere } from './scenarios.ts';

// Records of money end, and the job dies at any of its steps: what ended is nowhere, and each balance is as it was.

const YEARS = 2;
/** As many runs as a sale and its credit take: the ledger, the sale, the credit, and one that finds nothing. */
const RUNS = 5;

const whole = await createFaultWorld({
  unjudged: 'What it compares with the log of the processor has ended.',
});

const run = () => endRecords(whole.market.newPorts(), { recordsYears: YEARS }).catch(() => {});
const balances = () =>
  whole.rows('SELECT account, balance_cents FROM ledger_accounts WHERE balance_cents <> 0 ORDER BY account');

/** In place of the agreement of sales with the processor: what must hold of a ledger whose records end. */
const world: FaultWorld = Object.assign(Object.create(whole) as FaultWorld, {
  async expectAllWell() {
    const { market } = whole.market.newPorts();
    const outside = { processor: null, chain: null };
    expect((await reconcile(market, outside, whole.market.clock.now())).findings).toEqual([]);
    expect(await whole.rows('SELECT * FROM ending_records')).toEqual([]);
    expect(
      await whole.rows(`SELECT account FROM ledger_accounts AS a WHERE balance_cents <>
        (SELECT COALESCE(SUM(amount_cents), 0) FROM ledger_entries AS e WHERE e.account = a.account)`),
    ).toEqual([]);
  },
});

/** A sale of two years ago, paid out, in closed months; something newer was posted since. */
async function oldSale() {
  const { purchaseId } = await whole.newSale('wallet');
  await whole.recover();
  const { clock } = whole.market;
  const year = Number(isoTime(clock.now()).slice(0, 4));
  clock.set(Date.parse(`${year + YEARS + 1}-01-01T02:00:00.000Z`));
  await whole.newBuyer('wallet');
  for (let months = 0; months < 12 * (YEARS + 2); months += 12) await endPeriods(whole.market.newPorts());
  for (let batch = 0; batch < 3; batch += 1) await carryForward(whole.market.newPorts());
  const { market } = whole.market.newPorts();
  await market.commit([
    {
      sql: "UPDATE ledger_periods SET closed_at = ?, balances = '{}' WHERE closed_at IS NULL",
      params: [isoTime(clock.now())],
    },
  ]);
  return { purchaseId, before: await balances() };
}

const runs = async () => {
  for (let count = 0; count < RUNS; count += 1) await run();
};

await breakEverywhere(world, {
  name: 'records end',
  prepare: oldSale,
  act: runs,
  comeBack: runs,
  async expectEnd({ purchaseId, before }) {
    expect(await whole.rows('SELECT 1 FROM purchases WHERE id = ?', purchaseId ?? '')).toEqual([]);
    expect(await whole.rows('SELECT 1 FROM payments WHERE purchase_id = ?', purchaseId ?? '')).toEqual([]);
    expect(await balances()).toEqual(before);
  },
});
