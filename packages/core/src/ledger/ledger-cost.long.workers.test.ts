import { expect, inject, it } from 'vitest';
import { newListingOf } from '../testing/fixtures/new-listing.ts';
import { newAgentOf } from '../testing/fixtures/new-seller.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
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
/** Of the sales, those of which money came back. */
const RETURNS = 0.1;

/** Numbered subjects, the ids of which begin with a digit of their kind. */
const numbered = (kind: number, from: number, to: number) =>
  `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to}),
    one AS (SELECT printf('${kind}0000000-0000-4000-8000-%012d', i) AS id FROM n)`;
const leg = (account: string, cents: number) =>
  `json_object('account', '${account}', 'amountCents', ${cents})`;
const posted =
  (subjects: string) =>
  (kind: string, reference: string, ...legs: string[]) =>
    `INSERT INTO ledger_postings (id, kind, reference, legs, created_at) ${subjects}
      SELECT '${kind}-' || ${reference}, '${kind}', ${reference}, json_array(${legs.join()}), '${AT}' FROM one`;

/** Sales by card from one number to another, in two postings each. */
async function addSales(from: number, to: number, of: { id: string; sellerId: string }, status: string) {
  const isOver = status === 'released';
  const sales = numbered(0, from, to);
  const posting = posted(sales);
  const escrow = `escrow:${of.sellerId}`;
  await DB.batch(
    [
      `INSERT INTO purchases (id, listing_id, seller_id, status, rail, amount_cents, platform_fee_cents, fee_schedule_version,
        listing_version, content_digest, delivered_at, created_at) ${sales}
        SELECT id, '${of.id}', '${of.sellerId}', '${status}', 'card', 1000, 50, 1, 1, 'sha256:${'0'.repeat(64)}', '${AT}', '${AT}'
        FROM one`,
      `INSERT INTO payments (purchase_id, payer_account, fingerprint, fulfilment, hold_hours, hold_until, due_at) ${sales}
        SELECT id, 'card_clearing', 'sha256:', 'digital', 72, '${AT}', ${isOver ? 'NULL' : `'${AT}'`} FROM one`,
      posting('capture', 'id', leg('card_clearing', -1000), leg(escrow, 950), leg('fees', 50)),
      ...(isOver ? [posting('payout', 'id', leg(escrow, -950), leg('payouts', 950))] : []),
    ].map((sql) => DB.prepare(sql)),
  );
}

/** Of the sales of these numbers: what a bank took, and a transfer that came back. As many top-ups went back to their card. */
async function addReturns(from: number, to: number, of: { sellerId: string; agentId: string }) {
  const [sales, topUps] = [numbered(0, from, to), numbered(1, from, to)];
  const posting = posted(sales);
  const escrow = `escrow:${of.sellerId}`;
  const wallet = `wallet:${of.agentId}`;
  await DB.batch(
    [
      `INSERT INTO chargebacks (dispute_id, payment_id, purchase_id, amount_cents, status, withdrawn_cents, covered_cents,
        opened_at, settled_at, revision) ${sales}
        SELECT 'dp_' || id, 'pay_' || id, id, 1000, 'lost', 1000, 0, '${AT}', '${AT}', 1 FROM one`,
      posting('chargeback', `'dp_' || id`, leg('card_clearing', 1000), leg('chargebacks', -1000)),
      `INSERT INTO returned_transfers (transfer_id, purchase_id, amount_cents, payout_reference, returned_at) ${sales}
        SELECT 'tr_' || id, id, 950, id, '${AT}' FROM one`,
      posting('transfer_reversal', `'tr_' || id`, leg('payouts', -950), leg(escrow, 950)),
      posting('payout', `id || ':1'`, leg(escrow, -950), leg('payouts', 950)),
      `INSERT INTO wallet_top_ups (id, agent_id, amount_cents, status, source, payment_id, created_at, expires_at, look_at)
        ${topUps} SELECT id, '${of.agentId}', 1000, 'paid', 'checkout', 'pay_' || id, '${AT}', '${AT}', '${AT}' FROM one`,
      `UPDATE wallets SET funded_cents = funded_cents + ${1000 * (to - from)} WHERE agent_id = '${of.agentId}'`,
      `INSERT INTO top_up_refunds (top_up_id, number, amount_cents, status, created_at, check_at) ${topUps}
        SELECT id, 1, 1000, 'made', '${AT}', '${AT}' FROM one`,
      // Each goes back before the next one comes: no wallet holds that much.
      `INSERT INTO ledger_postings (id, kind, reference, legs, created_at) ${topUps}
        SELECT kind || '-' || id, kind, id || turn,
          json_array(json_object('account', 'card_clearing', 'amountCents', -cents), json_object('account', '${wallet}', 'amountCents', cents)), '${AT}'
        FROM one CROSS JOIN (SELECT 'top_up' AS kind, '' AS turn, 1000 AS cents UNION ALL SELECT 'refund', ':1', -1000)
        ORDER BY id, cents DESC`,
    ].map((sql) => DB.prepare(sql)),
  );
}

it('grows with what is open and with one month, not with the ledger', async () => {
  const { id, seller } = await newListingOf(market);
  const agentId = (await newAgentOf(market)).id;
  await DB.exec(`INSERT INTO wallets (agent_id) VALUES ('${agentId}')`);
  const of = { id, sellerId: seller.id, agentId };
  const addPast = async (from: number, to: number) => {
    await addSales(from, to, of, 'released');
    await addReturns(from, from + RETURNS * (to - from), of);
  };
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
  await addPast(0, SIZES.small);
  await closeMonth('2026-06-02T00:00:00.000Z');
  const small = await looks();
  for (let from = SIZES.small; from < SIZES.large; from += AT_ONCE)
    await addPast(from, Math.min(from + AT_ONCE, SIZES.large));
  await closeMonth('2026-07-02T00:00:00.000Z');
  const large = await looks();
  console.log('rows read', JSON.stringify({ sizes: SIZES, small, large }));
  for (const [what, rows] of Object.entries(large))
    expect(rows, what).toBeLessThanOrEqual(1.1 * small[what as keyof typeof small] + 10);
  const report = await reconcile(ports.market, outside, market.clock.now());
  expect([report.findings, report.feesCents]).toEqual([[], 50 * (SIZES.large + 20)]);
  const lostCents = 1000 * RETURNS * SIZES.large;
  expect(await readBalancesUpTo(ports.market, 1e9)).toEqual({
    card_clearing: lostCents - 1000 * (SIZES.large + 20),
    chargebacks: -lostCents,
    escrow: 950 * 20,
    fees: 50 * (SIZES.large + 20),
    payouts: 950 * SIZES.large,
    wallet: 0,
  });
}, 600_000);
