import { beforeEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import type { CardEvent } from '../kernel/ports/card-processor.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kernel/time.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createWalletMarketplace } from '../testing/fixtures/new-wallet.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { settleTopUp, sweepTopUps } from './index.ts';

const { market, cards, call, openTopUp, fund, balanceOf, newAgent } = createWalletMarketplace();

const settle = (clue: Parameters<typeof settleTopUp>[1]) => settleTopUp(market.newPorts(), clue);
const sweep = () => sweepTopUps(market.newPorts());
const statusOf = (id: string) =>
  testBindings.DB.prepare('SELECT status FROM wallet_top_ups WHERE id = ?').bind(id).first('status');

async function takeEvents(): Promise<CardEvent['about'][]> {
  const webhooks = await cards.takeWebhooks();
  const events = await Promise.all(
    webhooks.map(({ rawBody, signatureHeader }) =>
      cards.readWebhook(rawBody, signatureHeader, market.clock.now()),
    ),
  );
  return events.flatMap((event) => (typeof event === 'string' ? [] : [event.about]));
}

async function hear(about: CardEvent['about']): Promise<void> {
  if (about.kind === 'checkout') await settle({ sessionId: about.sessionId });
  if (about.kind === 'payment') await settle({ paymentId: about.paymentId });
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

beforeEach(async () => {
  cards.fault = () => undefined;
  await cards.takeWebhooks();
});

describe('a paid page', () => {
  clause('wallet.credits');
  it('is credited once, whatever order its events come in, each three times', async () => {
    const agent = await newAgent();
    let expected = 0;
    const orders = permutations(['checkout', 'payment', 'checkout', 'payment', 'checkout', 'payment']);
    const distinct = [...new Set(orders.map((order) => order.join()))].map((order) => order.split(','));
    for (const order of distinct) {
      const { sessionId, topUpId } = await openTopUp(agent, 1000);
      cards.payCheckout(sessionId);
      const events = await takeEvents();
      expect(events.map(({ kind }) => kind).sort()).toEqual(['checkout', 'payment']);
      for (const kind of order) {
        const event = events.find((one) => one.kind === kind);
        if (event) await hear(event);
      }
      expected += 1000;
      expect([await balanceOf(agent), await statusOf(topUpId)]).toEqual([expected, 'paid']);
    }
    expect(distinct).toHaveLength(20);
  });

  it('is credited once by many that hear of it at the same time', async () => {
    const agent = await newAgent();
    const { sessionId, topUpId } = await openTopUp(agent, 3000);
    cards.payCheckout(sessionId);
    const clues = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? { sessionId } : { topUpId }));
    expect(await Promise.all(clues.map(settle))).toEqual(clues.map(() => 'paid'));
    expect(await balanceOf(agent)).toBe(3000);
  });

  it('is found by the sweep when nobody told of it', async () => {
    const agent = await newAgent();
    const { sessionId } = await openTopUp(agent, 3000);
    cards.payCheckout(sessionId);
    await sweep();
    expect(await balanceOf(agent)).toBe(0);
    market.clock.advance(10 * MINUTE_MS);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await balanceOf(agent)).toBe(3000);
  });

  it('is not credited while the amounts differ', async () => {
    const agent = await newAgent();
    const { sessionId, topUpId } = await openTopUp(agent, 3000);
    const change = 'UPDATE wallet_top_ups SET amount_cents = ? WHERE id = ?';
    await testBindings.DB.prepare(change).bind(3001, topUpId).run();
    cards.payCheckout(sessionId);
    for (const event of await takeEvents()) await hear(event);
    expect([await balanceOf(agent), await statusOf(topUpId)]).toEqual([0, 'open']);
    expect(market.log.lines.some(({ event }) => event === 'top_up_mismatch')).toBe(true);
    await testBindings.DB.prepare(change).bind(3000, topUpId).run();
    expect(await settle({ sessionId })).toBe('paid');
  });
});

describe('a page that nobody pays', () => {
  it('keeps its room until it can no longer be paid, then gives it back', async () => {
    const agent = await newAgent();
    const { sessionId, topUpId } = await openTopUp(agent, 50_000);
    market.clock.advance(HOUR_MS - 1);
    await sweep();
    expect(await statusOf(topUpId)).toBe('open');
    market.clock.advance(10 * MINUTE_MS);
    await sweep();
    expect(await statusOf(topUpId)).toBe('expired');
    expect(cards.payCheckout(sessionId)).toBe(false);
    await openTopUp(agent, 50_000);
  });

  it('keeps it while the processor does not say that it was closed', async () => {
    const agent = await newAgent();
    const { topUpId } = await openTopUp(agent, 50_000);
    cards.fault = () => 'lose_request';
    market.clock.advance(2 * HOUR_MS);
    await sweep();
    expect(await statusOf(topUpId)).toBe('open');
    cards.fault = () => undefined;
    market.clock.advance(5 * MINUTE_MS);
    await sweep();
    expect(await statusOf(topUpId)).toBe('expired');
  });

  it('ends the same in whatever order its events come', async () => {
    const agent = await newAgent();
    for (const backwards of [false, true]) {
      const { topUpId } = await openTopUp(agent, 1000);
      market.clock.advance(2 * HOUR_MS);
      const events = await takeEvents();
      for (const event of backwards ? events.reverse() : events) await hear(event);
      expect(await statusOf(topUpId)).toBe('expired');
    }
  });
});

describe('a page that was never handed out', () => {
  it('gives its room back at once when the processor fails, and cannot be paid by anybody', async () => {
    const agent = await newAgent();
    for (const fault of ['lose_request', 'lose_reply'] as const) {
      cards.fault = ({ method }) => (method === 'createCheckout' ? fault : undefined);
      const { status, body } = await call('POST', '/wallet/fund', agent, { amount_cents: 50_000 });
      expect([status, body.code, body.charged]).toEqual([503, 'service_unavailable', false]);
      await market.background.settled();
    }
    cards.fault = () => undefined;
    await openTopUp(agent, 50_000);
  });
});

describe('a request that is sent again with its Idempotency-Key', () => {
  const fundAs = (agent: RegisteredAgent, key: string, amountCents = 50_000) =>
    call('POST', '/wallet/fund', agent, { amount_cents: amountCents }, { 'idempotency-key': key });
  const pagesAsked = () => cards.calls.filter(({ method }) => method === 'createCheckout');
  const topUpsOf = async ({ id }: RegisteredAgent) => {
    const select = 'SELECT id, status FROM wallet_top_ups WHERE agent_id = ? ORDER BY created_at';
    return (await testBindings.DB.prepare(select).bind(id).all()).results;
  };

  describe.each(['lose_request', 'lose_reply'] as const)('%s', (fault) => {
    it.each([1, 2, 3])('at round trip %i: has one top-up and one page', async (at) => {
      const agent = await newAgent();
      cards.calls.length = 0;
      let count = 0;
      // The first is the look-up of the key, and the claim travels with nothing else.
      market.market.fault = () => (count++ === at ? fault : undefined);
      const broken = await fundAs(agent, 'again');
      await market.background.settled();
      expect([broken.status, count > at]).toEqual([503, true]);
      market.market.fault = () => undefined;
      let retried = await fundAs(agent, 'again');
      if (retried.body.code === 'idempotency_in_flight') {
        market.clock.advance(MINUTE_MS + 1);
        retried = await fundAs(agent, 'again');
      }
      expect(retried.status).toBe(200);
      expect(await topUpsOf(agent)).toEqual([{ id: retried.body.topUpId, status: 'open' }]);
      expect(new Set(pagesAsked().map(({ key }) => key)).size).toBe(1);
      expect((await fundAs(agent, 'again')).body).toEqual(retried.body);
    });
  });

  it('begins anew if the top-up has ended without a page', async () => {
    const agent = await newAgent();
    cards.fault = ({ method }) => (method === 'createCheckout' ? 'lose_reply' : undefined);
    expect((await fundAs(agent, 'again')).status).toBe(503);
    await market.background.settled();
    cards.fault = () => undefined;
    const { status, body } = await fundAs(agent, 'again');
    expect(status).toBe(200);
    expect((await topUpsOf(agent)).map((topUp) => topUp.status).sort()).toEqual(['failed', 'open']);
    expect(await statusOf(String(body.topUpId))).toBe('open');
  });

  it('is a request of its own once the key is forgotten', async () => {
    const agent = await newAgent();
    const first = await fundAs(agent, 'again', 1000);
    market.clock.advance(DAY_MS + 1);
    const later = await fundAs(agent, 'again', 1000);
    expect([first.status, later.status]).toEqual([200, 200]);
    expect(later.body.topUpId).not.toBe(first.body.topUpId);
  });

  it('is refused as ever where the cap leaves no room', async () => {
    const agent = await newAgent();
    await fund(agent, 5000);
    await fundAs(agent, 'one', 45_000);
    expect((await fundAs(agent, 'two')).body.code).toBe('wallet_cap_exceeded');
  });
});

describe('money that comes after its top-up was given up', () => {
  const giveUp = (id: string) =>
    testBindings.DB.prepare(`UPDATE wallet_top_ups SET status = 'expired' WHERE id = ?`).bind(id).run();

  it('is credited all the same while the cap allows it', async () => {
    const agent = await newAgent();
    const { sessionId, topUpId } = await openTopUp(agent, 2000);
    await giveUp(topUpId);
    cards.payCheckout(sessionId);
    for (const event of await takeEvents()) await hear(event);
    expect([await balanceOf(agent), await statusOf(topUpId)]).toEqual([2000, 'paid']);
  });

  it.each([undefined, 'lose_request', 'lose_reply'] as const)(
    'goes back, once, where the cap does not (%s)',
    async (fault) => {
      const agent = await newAgent();
      const { sessionId, topUpId } = await openTopUp(agent, 2000);
      await giveUp(topUpId);
      await fund(agent, 49_000);
      await takeEvents();
      cards.payCheckout(sessionId);
      const events = await takeEvents();
      let faults = 1;
      cards.fault = ({ method }) => (method === 'refund' && faults-- > 0 ? fault : undefined);
      for (const event of [...events, ...events]) await hear(event).catch(() => {});
      expect([await balanceOf(agent), await statusOf(topUpId)]).toEqual([49_000, 'failed']);
      const { paymentId } = await cards.getCheckout(sessionId);
      expect(await cards.getPayment(paymentId as string)).toMatchObject({
        capturedCents: 2000,
        refundedCents: 2000,
      });
    },
  );
});

describe('money that comes after its top-up was given up, and goes back while the wallet is spent', () => {
  it('is not credited by a report that comes in between', async () => {
    const agent = await newAgent();
    const { sessionId, topUpId } = await openTopUp(agent, 2000);
    await testBindings.DB.prepare(`UPDATE wallet_top_ups SET status = 'expired' WHERE id = ?`)
      .bind(topUpId)
      .run();
    await fund(agent, 49_000);
    cards.payCheckout(sessionId);
    let isBetween = true;
    cards.fault = async ({ method }) => {
      if (method !== 'refund' || !isBetween) return undefined;
      isBetween = false;
      // There is room again.
      const account = `wallet:${agent.id}`;
      const take = (name: string, cents: number) =>
        testBindings.DB.prepare(
          'UPDATE ledger_accounts SET balance_cents = balance_cents + ? WHERE account = ?',
        )
          .bind(cents, name)
          .run();
      await take(account, -2000);
      await settle({ sessionId });
      await take(account, 2000);
      return undefined;
    };
    await settle({ sessionId });
    expect([await balanceOf(agent), await statusOf(topUpId)]).toEqual([49_000, 'failed']);
    const { paymentId } = await cards.getCheckout(sessionId);
    expect(await cards.getPayment(paymentId as string)).toMatchObject({ refundedCents: 2000 });
  });
});

describe('what is none of ours', () => {
  it('is left alone', async () => {
    const checkout = await cards.createCheckout('other', {
      reference: { kind: 'purchase', id: market.ids.uuid() },
      amountCents: 1000,
      description: 'A purchase',
      capture: 'automatic',
      customerId: null,
      email: null,
      successUrl: 'https://example.com/',
      cancelUrl: 'https://example.com/',
      expiresAtMs: market.clock.now() + HOUR_MS,
    });
    expect(await settle({ sessionId: checkout.sessionId })).toBeNull();
    expect(await settle({ topUpId: market.ids.uuid() })).toBeNull();
  });
});
