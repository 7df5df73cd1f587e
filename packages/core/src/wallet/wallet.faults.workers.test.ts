import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../kernel/time.ts';
import { post, reserve } from '../ledger/index.ts';
import { reconcile } from '../ledger/reconcile.ts';
import type { CardFault } from '../testing/fake-card-processor.ts';
import type { RegisteredAgent } from '../testing/new-seller.ts';
import { createWalletMarketplace } from '../testing/new-wallet.ts';
import { testBindings } from '../testing/workers-bindings.ts';
import { completeSetup, maybeAutoRecharge, settleTopUp, sweepTopUps } from './index.ts';

// Every await of a top-up is broken in turn, before and after it took effect: whatever is left behind is
// finished by the retries and the sweep, and one payment is one credit.

const { market, cards, call, saveCard, balanceOf, newAgent } = createWalletMarketplace();
const { ids, clock } = market;

/** Breaks the round trip or processor call of this number, counted over both. Gives how many there were. */
function breakStep(step: number, fault: CardFault): () => number {
  let count = 0;
  const next = () => (count++ === step ? fault : undefined);
  market.market.fault = next;
  cards.fault = next;
  return () => count;
}

beforeEach(() => {
  breakStep(-1, undefined);
});

/** As a webhook's sender does: again until it is answered. */
async function untilItWorks<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch {
    return attempt();
  }
}

async function everyMinuteFor(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 5) {
    await sweepTopUps(market.newPorts()).catch(() => {});
    clock.advance(5 * MINUTE_MS);
  }
}

async function openTopUps(agent: RegisteredAgent): Promise<unknown> {
  return (await call('GET', '/wallet/balance', agent)).body.openTopUps;
}

const creditsOf = (agent: RegisteredAgent) =>
  testBindings.DB.prepare(
    `SELECT count(*) AS n FROM ledger_entries WHERE account = 'wallet:' || ? AND amount_cents > 0`,
  )
    .bind(agent.id)
    .first('n');

/** A request that is repeated with its Idempotency-Key, as a careful client does. */
async function fundCarefully(agent: RegisteredAgent, amountCents: number): Promise<string> {
  for (let tries = 0; tries < 4; tries++) {
    const headers = { 'idempotency-key': `fund ${agent.id}` };
    const { status, body } = await call(
      'POST',
      '/wallet/fund',
      agent,
      { amount_cents: amountCents },
      headers,
    );
    await market.background.settled();
    if (status === 200) return String(body.checkoutUrl).split('/').at(-1) as string;
    expect(body.retryable ?? body.code === 'wallet_cap_exceeded').toBe(true);
    expect(body.charged).not.toBe(true);
    clock.advance(MINUTE_MS + 1);
    await sweepTopUps(market.newPorts()).catch(() => {});
  }
  throw new Error('It never worked.');
}

async function payForCredits(agent: RegisteredAgent): Promise<void> {
  const sessionId = await fundCarefully(agent, 30_000);
  cards.payCheckout(sessionId);
  const { paymentId } = await untilItWorks(() => cards.getCheckout(sessionId));
  await untilItWorks(() => settleTopUp(market.newPorts(), { sessionId }));
  await untilItWorks(() => settleTopUp(market.newPorts(), { paymentId: paymentId as string }));
  await everyMinuteFor(10);
}

const STEPS = Array.from({ length: 20 }, (_, step) => step);
const FAULTS = ['lose_request', 'lose_reply'] as const;

describe.each(FAULTS)('a top-up by checkout, %s', (fault) => {
  it.each(STEPS)('at step %i', async (step) => {
    const agent = await newAgent();
    breakStep(step, fault);
    await payForCredits(agent);
    breakStep(-1, undefined);
    expect([await balanceOf(agent), await creditsOf(agent)]).toEqual([30_000, 1]);
    await everyMinuteFor(80);
    expect(await openTopUps(agent)).toEqual([]);
  });
});

it('the steps above are all there are', async () => {
  const count = breakStep(-1, undefined);
  await payForCredits(await newAgent());
  expect(count()).toBeGreaterThan(12);
  expect(count()).toBeLessThanOrEqual(STEPS.length);
});

async function spendAndRecharge(agent: RegisteredAgent): Promise<void> {
  await maybeAutoRecharge(market.newPorts(), agent.id).catch(() => {});
  await everyMinuteFor(20);
}

/** Its balance is below the threshold, and nobody has noticed yet. */
async function agentToRecharge(): Promise<RegisteredAgent> {
  const agent = await newAgent();
  await saveCard(agent);
  const body = { enabled: true, threshold_cents: 1000, recharge_amount_cents: 2000 };
  await call('POST', '/wallet/auto-recharge', agent, body);
  await market.background.settled();
  const sale = { purchaseId: ids.uuid(), sellerId: ids.uuid(), buyerId: agent.id, rail: 'wallet' as const };
  const posting = reserve({ ...sale, amountCents: 1500, platformFeeCents: 0 });
  await market.newPorts().market.commit([post(posting, ids.uuid(), '2026-06-01T12:00:00.000Z')]);
  return agent;
}

const RECHARGE_STEPS = STEPS.slice(0, 12);

describe.each(FAULTS)('a recharge, %s', (fault) => {
  it.each(RECHARGE_STEPS)('at step %i', async (step) => {
    const agent = await agentToRecharge();
    cards.calls.length = 0;
    breakStep(step, fault);
    await spendAndRecharge(agent);
    breakStep(-1, undefined);
    expect([await balanceOf(agent), await creditsOf(agent)]).toEqual([2500, 2]);
    expect(await openTopUps(agent)).toEqual([]);
    const keys = cards.calls.filter(({ method }) => method === 'chargeSaved').map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
  });
});

it('the steps of a recharge are all there are until it is done', async () => {
  const agent = await agentToRecharge();
  const count = breakStep(-1, undefined);
  await maybeAutoRecharge(market.newPorts(), agent.id);
  expect(count()).toBeGreaterThan(3);
  expect(count()).toBeLessThanOrEqual(RECHARGE_STEPS.length);
});

describe.each(FAULTS)('saving a card, %s', (fault) => {
  it.each(STEPS.slice(0, 8))('at step %i', async (step) => {
    const agent = await newAgent();
    breakStep(step, fault);
    const open = async () => {
      const { status, body } = await call('POST', '/wallet/payment-method', agent, {});
      if (status !== 200) throw new Error(String(body.code));
      return String(body.setupUrl).split('/').at(-1) as string;
    };
    const sessionId = await untilItWorks(open);
    cards.saveCard(sessionId);
    await untilItWorks(() => completeSetup(market.newPorts(), sessionId));
    breakStep(-1, undefined);
    expect((await call('GET', '/wallet/balance', agent)).body.savedCard).toMatchObject({ last4: '4242' });
  });
});

afterAll(async () => {
  breakStep(-1, undefined);
  clock.advance(3 * HOUR_MS);
  const { market: db } = market.newPorts();
  // These purchases have no rows, only what they took from wallets.
  const { findings, cardClearingCents } = await reconcile(db, null, clock.now());
  const ownPurchases = /^(wallet|reserved):/;
  expect(findings.filter(({ check, subject }) => check !== 'account' || !ownPurchases.test(subject))).toEqual(
    [],
  );
  // What cards paid is what wallets were credited, to the cent: no charge was made twice, none was missed.
  const { availableCents, pendingCents } = await cards.getBalance();
  const { results } = await testBindings.DB.prepare(
    `SELECT amount_cents AS cents FROM wallet_top_ups WHERE status = 'paid'`,
  ).all<{ cents: number }>();
  const kept = results.reduce((sum, { cents }) => sum + Math.round((cents * 29) / 1000) + 30, 0);
  expect(availableCents + pendingCents + kept).toBe(-cardClearingCents);
});
