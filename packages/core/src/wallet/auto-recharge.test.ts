import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, isoTime, MINUTE_MS } from '../kernel/time.ts';
import { post, releaseReserve, reserve, type Sale, walletAccount } from '../ledger/index.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createWalletMarketplace } from '../testing/fixtures/new-wallet.ts';
import { maybeAutoRecharge, sweepTopUps } from './index.ts';
import { insertTopUp } from './top-ups.store.ts';

const { market, cards, call, openTopUp, fund, saveCard, balanceOf, newAgent } = createWalletMarketplace();
const { ids } = market;

const recharge = (agent: RegisteredAgent) => maybeAutoRecharge(market.newPorts(), agent.id);
const sweep = () => sweepTopUps(market.newPorts());
const charges = () => cards.calls.filter(({ method }) => method === 'chargeSaved');

const rechargeOf = async (agent: RegisteredAgent) =>
  (await call('GET', '/wallet/balance', agent)).body.autoRecharge as {
    enabled: boolean;
    problem: string | null;
  };

/** 5000 cents, a card, and a recharge of 2000 below 1000. */
async function rechargingAgent(kind?: Parameters<typeof saveCard>[1]): Promise<RegisteredAgent> {
  const agent = await newAgent();
  await fund(agent, 5000);
  await saveCard(agent, kind);
  await turnOn(agent);
  cards.calls.length = 0;
  return agent;
}

async function turnOn(agent: RegisteredAgent): Promise<void> {
  const body = { enabled: true, threshold_cents: 1000, recharge_amount_cents: 2000 };
  const { status } = await call('POST', '/wallet/auto-recharge', agent, body);
  expect(status).toBe(200);
  await market.background.settled();
}

/** As a request that is only just opening its page. */
async function beginTopUp(agent: RegisteredAgent, amountCents: number): Promise<void> {
  const now = market.clock.now();
  const [createdAt, expiresAt] = [isoTime(now), isoTime(now + HOUR_MS)];
  const terms = { id: ids.uuid(), agentId: agent.id, source: 'checkout', charge: null } as const;
  await market
    .newPorts()
    .market.commit(insertTopUp({ ...terms, amountCents, createdAt, expiresAt }, isoTime(now + MINUTE_MS)));
}

async function spend(agent: RegisteredAgent, amountCents: number): Promise<Sale> {
  const sale: Sale = {
    purchaseId: ids.uuid(),
    sellerId: ids.uuid(),
    payerAccount: walletAccount(agent.id),
    amountCents,
    platformFeeCents: 0,
  };
  await move(reserve(sale));
  return sale;
}

const move = (posting: Parameters<typeof post>[0]) =>
  market.newPorts().market.commit([post(posting, ids.uuid(), '2026-06-01T12:00:00.000Z')]);

beforeEach(() => {
  cards.fault = () => undefined;
  market.market.fault = () => undefined;
  cards.calls.length = 0;
});

describe('the cap of a month', () => {
  const begin = async (monthlyCapCents: number) => {
    const agent = await rechargingAgent();
    const body = { enabled: true, monthly_cap_cents: monthlyCapCents };
    expect((await call('POST', '/wallet/auto-recharge', agent, body)).body).toMatchObject({
      monthlyCapCents,
    });
    return agent;
  };
  const below = async (agent: RegisteredAgent) => spend(agent, (await balanceOf(agent)) - 500);

  it('is not exceeded; the next month has its own', async () => {
    const agent = await begin(4999);
    const outcomes: string[] = [];
    for (let times = 0; times < 3; times += 1) {
      await below(agent);
      outcomes.push(await recharge(agent));
    }
    expect(outcomes).toEqual(['charged', 'charged', 'month_spent']);
    expect(await rechargeOf(agent)).toMatchObject({ enabled: true, problem: 'monthly_cap' });
    expect(charges()).toHaveLength(2);
    market.clock.set(Date.parse('2026-06-30T23:59:59.999Z'));
    expect(await recharge(agent)).toBe('not_due');
    market.clock.set(Date.parse('2026-07-01T00:00:00.000Z'));
    expect(await recharge(agent)).toBe('charged');
    expect(await rechargeOf(agent)).toMatchObject({ enabled: true, problem: null });
  });

  it('of two runs at once one charges; what the bank refused does not count', async () => {
    const agent = await begin(2000);
    await below(agent);
    expect((await Promise.all([recharge(agent), recharge(agent)])).sort()).toEqual(['charged', 'not_due']);
    await below(agent);
    expect(await recharge(agent)).toBe('month_spent');
    // Raised, it goes on at once.
    await call('POST', '/wallet/auto-recharge', agent, { enabled: true, monthly_cap_cents: 4000 });
    await market.background.settled();
    expect(charges()).toHaveLength(2);
  });

  it.each([-1, 1.5, 1_000_001, 'all'])('%s is none', async (cap) => {
    const agent = await rechargingAgent();
    const { status } = await call('POST', '/wallet/auto-recharge', agent, {
      enabled: true,
      monthly_cap_cents: cap,
    });
    expect(status).toBe(400);
    expect((await rechargeOf(agent)) as object).toMatchObject({ monthlyCapCents: 50_000 });
  });
});

describe('a balance below the threshold', () => {
  it('is recharged once, however many notice', async () => {
    const agent = await rechargingAgent();
    await spend(agent, 4001);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => recharge(agent)));
    expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(1);
    expect(new Set(charges().map(({ key }) => key)).size).toBe(1);
    expect(await balanceOf(agent)).toBe(2999);
    expect((await call('GET', '/wallet/balance', agent)).body).toMatchObject({
      autoRecharge: { enabled: true, problem: null },
      fundedCents: 7000,
      openTopUps: [],
    });
  });

  it('is one below it, not one at it', async () => {
    const agent = await rechargingAgent();
    await spend(agent, 4000);
    expect(await recharge(agent)).toBe('not_due');
    await spend(agent, 1);
    expect(await recharge(agent)).toBe('charged');
  });

  it('is recharged by the sweep if whoever spent did not see to it', async () => {
    const agent = await rechargingAgent();
    await spend(agent, 4500);
    await sweep();
    expect(await balanceOf(agent)).toBe(2500);
    await sweep();
    expect(charges()).toHaveLength(1);
  });

  it('that is still low is recharged again', async () => {
    const agent = await rechargingAgent();
    const body = { enabled: true, threshold_cents: 4000, recharge_amount_cents: 1000 };
    await call('POST', '/wallet/auto-recharge', agent, body);
    await spend(agent, 3000);
    await sweep();
    await sweep();
    await sweep();
    expect(await balanceOf(agent)).toBe(4000);
  });

  it('that rose again by itself is not', async () => {
    const agent = await rechargingAgent();
    const sale = await spend(agent, 4500);
    await move(releaseReserve(sale));
    expect(await recharge(agent)).toBe('not_due');
    await sweep();
    expect([charges().length, await balanceOf(agent)]).toEqual([0, 5000]);
    await spend(agent, 4500);
    expect(await recharge(agent)).toBe('charged');
  });

  it('when it is turned on is recharged right away; when it is off, never', async () => {
    const agent = await newAgent();
    await saveCard(agent);
    await turnOn(agent);
    expect(await balanceOf(agent)).toBe(2000);
    await call('POST', '/wallet/auto-recharge', agent, { enabled: false });
    await spend(agent, 2000);
    expect(await recharge(agent)).toBe('not_due');
    await sweep();
    expect(charges()).toHaveLength(1);
  });

  it('is not kept waiting by a page that nobody paid', async () => {
    const agent = await rechargingAgent();
    await spend(agent, 4600);
    const { sessionId } = await openTopUp(agent, 49_600);
    expect(await recharge(agent)).toBe('charged');
    expect(cards.payCheckout(sessionId)).toBe(false);
  });

  it('waits while the cap leaves no room', async () => {
    const agent = await rechargingAgent();
    await beginTopUp(agent, 45_000);
    await spend(agent, 1500);
    await spend(agent, 3000);
    expect(await recharge(agent)).toBe('charged');
    await beginTopUp(agent, 2500);
    await spend(agent, 1600);
    expect(await recharge(agent)).toBe('no_headroom');
    expect(await rechargeOf(agent)).toMatchObject({ enabled: true, problem: 'no_headroom' });
    expect(await recharge(agent)).toBe('not_due');
    market.clock.advance(HOUR_MS + 10 * MINUTE_MS);
    await sweep();
    await sweep();
    expect(await balanceOf(agent)).toBe(2900);
    expect(await rechargeOf(agent)).toMatchObject({ enabled: true, problem: null });
  });
});

describe('a card that is refused', () => {
  it('is tried three times, hours apart, and then no more', async () => {
    const agent = await rechargingAgent('declined_when_charged');
    await spend(agent, 4500);
    expect(await recharge(agent)).toBe('refused');
    expect(await rechargeOf(agent)).toMatchObject({ enabled: true, problem: 'generic_decline' });
    await sweep();
    expect(charges()).toHaveLength(1);
    market.clock.advance(HOUR_MS);
    await sweep();
    expect(charges()).toHaveLength(2);
    market.clock.advance(2 * HOUR_MS);
    await sweep();
    expect(await rechargeOf(agent)).toMatchObject({ enabled: false, problem: 'generic_decline' });
    market.clock.advance(10 * HOUR_MS);
    await sweep();
    expect(charges()).toHaveLength(3);
    expect(new Set(charges().map(({ key }) => key)).size).toBe(3);
    expect(await balanceOf(agent)).toBe(500);
  });

  it('and asks for its holder is not tried again, until a person saved another', async () => {
    const agent = await rechargingAgent('asks_holder');
    await spend(agent, 4500);
    expect(await recharge(agent)).toBe('refused');
    expect(await rechargeOf(agent)).toMatchObject({ enabled: false, problem: 'authentication_required' });
    await saveCard(agent);
    await turnOn(agent);
    expect(await balanceOf(agent)).toBe(2500);
  });

  it('by the processor itself counts as refused only if it was asked for the first time', async () => {
    const agent = await rechargingAgent();
    await spend(agent, 4500);
    const { market: db } = market.newPorts();
    await db.commit([
      { sql: `UPDATE wallets SET customer_id = 'cus_gone' WHERE agent_id = ?`, params: [agent.id] },
    ]);
    expect(await recharge(agent)).toBe('refused');
    expect(await rechargeOf(agent)).toMatchObject({ enabled: true, problem: 'charge_refused' });
  });
});

describe('a charge whose answer is lost', () => {
  it.each(['lose_request', 'lose_reply'] as const)('%s: happens once in the end', async (fault) => {
    const agent = await rechargingAgent();
    await spend(agent, 4500);
    cards.fault = ({ method }) => (method === 'chargeSaved' ? fault : undefined);
    await expect(recharge(agent)).rejects.toThrow('connection lost');
    expect(await recharge(agent)).toBe('not_due');
    cards.fault = () => undefined;
    await sweep();
    expect(await balanceOf(agent)).toBe(500);
    market.clock.advance(MINUTE_MS);
    await sweep();
    expect(await balanceOf(agent)).toBe(2500);
    expect(new Set(charges().map(({ key }) => key)).size).toBe(1);
  });

  it('for longer than keys are remembered is not asked for again: a person has to look', async () => {
    const agent = await rechargingAgent();
    await spend(agent, 4500);
    cards.fault = ({ method }) => (method === 'chargeSaved' ? 'lose_request' : undefined);
    await expect(recharge(agent)).rejects.toThrow();
    market.clock.advance(23 * HOUR_MS);
    cards.fault = () => undefined;
    const [asked] = charges();
    await sweep();
    expect(charges().filter(({ key }) => key === asked?.key)).toHaveLength(1);
    expect(await rechargeOf(agent)).toMatchObject({ enabled: false, problem: 'outcome_unknown' });
  });
});
