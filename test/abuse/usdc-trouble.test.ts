import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Whose trouble it is when a good payment in USDC is not taken, and what wallets of strangers may hold.

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;
beforeEach(async () => {
  chain.closed = null;
  chain.minCents = 1;
  await x402.heal();
});

const asked = () => market.sellerEndpoint.requests.length;
const alarms = () => market.log.lines.filter(({ event }) => event === 'platform_payment_unavailable').length;

describe('a good payment', () => {
  it.each(['pay_to_blocked', 'token_paused', 'relayer'])(
    'is 503 and an alarm while the platform has trouble: %s',
    async (reason) => {
      const { id } = await sales.listing({ priceCents: 100 });
      const headers = await x402.pay(x402.newPayer(), id, 2);
      chain.closed = { kind: 'closed', reason };
      const [before, alarmed] = [asked(), alarms()];
      const refused = await x402.query(id, headers);
      expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
        503,
        'platform_payment_unavailable',
        false,
      ]);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect([asked() - before, alarms() - alarmed]).toEqual([0, 1]);
      chain.closed = null;
      expect((await x402.query(id, headers)).status).toBe(200);
    },
  );

  it.each([1, 2] as const)(
    'is 503 and an alarm where whoever settles fails, and good again later (version %d)',
    async (version) => {
      const { id } = await sales.listing({ priceCents: 100 });
      const headers = await x402.pay(x402.newPayer(), id, version);
      chain.fault = ({ method }) => (method === 'settle' ? 'refuse' : undefined);
      const alarmed = alarms();
      const refused = await x402.query(id, headers);
      expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
        503,
        'platform_payment_unavailable',
        false,
      ]);
      expect(alarms() - alarmed).toBe(1);
      chain.fault = () => undefined;
      expect((await x402.query(id, headers)).status).toBe(200);
    },
  );

  it.each([
    ['payer_reverted', 429, 'payer_reverted'],
    ['payer_gas_spent', 429, 'settlement_budget_spent'],
    ['network_gas_spent', 429, 'settlement_budget_spent'],
    ['contract_gas_spent', 429, 'contract_payer_limited'],
    ['gas_too_dear', 503, 'gas_too_dear'],
  ] as const)('is refused before its seller is asked: %s', async (limit, status, code) => {
    const { id } = await sales.listing({ priceCents: 100 });
    const headers = await x402.pay(x402.newPayer(), id, 2);
    chain.closed = { kind: 'limited', limit, retryAfterSeconds: 77 };
    const before = asked();
    const refused = await x402.query(id, headers);
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([status, code, false]);
    expect([refused.headers.get('Retry-After'), asked() - before]).toEqual(['77', 0]);
  });
});

describe('a scarce copy', () => {
  const scarce = () => sales.listing({ priceCents: 100, listingType: 'limited', maxCopies: 1 });

  it('is not sold to a smart account that never paid here, and is to one that did', async () => {
    const payer = x402.newPayer();
    const owned = { owner: payer.address, isDeployed: true };
    chain.wallets.add(payer.address, { ...owned, factory: { address: '0x00', isAllowed: false } });
    const { id } = await scarce();
    const headers = await x402.pay(payer, id, 2);
    const before = asked();
    const refused = await x402.query(id, headers);
    expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
      409,
      'scarce_to_contract',
      false,
    ]);
    expect([asked() - before, await sales.sold(id)]).toEqual([0, 0]);
    const plain = await sales.listing({ priceCents: 100 });
    expect((await x402.query(plain.id, await x402.pay(payer, plain.id, 2))).status).toBe(200);
    expect((await x402.query(id, headers)).status).toBe(200);
  });

  it('is free again soon after a claim that never settles, though its authorisation is valid for long', async () => {
    const { id } = await scarce();
    const validBefore = BigInt(Math.floor(market.clock.now() / 1000) + 30 * 86_400);
    const headers = await x402.pay(x402.newPayer(), id, 2, { transfer: { validBefore } });
    chain.fault = ({ method }) => (method === 'settle' ? 'lose_request' : undefined);
    expect((await x402.query(id, headers)).body.code).toBe('settlement_pending');
    expect(await sales.sold(id)).toBe(1);
    await sales.pass(60_000, 2);
    expect(await sales.sold(id)).toBe(0);
    chain.fault = () => undefined;
    expect((await x402.query(id, await x402.pay(x402.newPayer(), id, 2))).status).toBe(200);
  });
});

describe('a smallest price over x402', () => {
  const pathOf = async (id: string) => (await x402.get(`/marketplace/listings/${id}`)).body.x402Path;
  const resources = async () => {
    const { body } = await x402.get('/x402/discovery/resources?limit=100');
    return [body.pagination.total, JSON.stringify(body.items)] as const;
  };

  it('closes x402 to listings below it, which says so, and no other rail', async () => {
    const { id } = await sales.listing({ priceCents: 24 });
    const { id: large } = await sales.listing({ priceCents: 25 });
    const headers = await x402.pay(x402.newPayer(), id, 2);
    const [before] = await resources();
    chain.minCents = 25;
    // Longer than a cached answer is fresh, and shorter than the payment is good.
    market.clock.advance(11_000);
    for (const sent of [{}, headers]) {
      const { status, body } = await x402.query(id, sent);
      expect([status, body.code, body.charged]).toEqual([409, 'not_over_x402', false]);
      expect(body.detail).toContain('25 cents');
    }
    expect([await pathOf(id), await pathOf(large)]).toEqual([null, `/x402/listings/${large}/query`]);
    const [total, items] = await resources();
    expect([items.includes(id), items.includes(large)]).toEqual([false, true]);
    expect(total).toBeLessThan(before);
    const { id: free } = await sales.listing({ priceCents: 0 });
    expect((await x402.query(free)).status).toBe(200);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    expect((await sales.buy(id, buyer, { body: { payment_method: 'wallet' } })).status).toBe(200);
  });

  it('takes nothing from who paid before it was raised', async () => {
    const { id } = await sales.listing({ priceCents: 24 });
    const headers = await x402.pay(x402.newPayer(), id, 2);
    expect((await x402.query(id, headers)).status).toBe(200);
    chain.minCents = 25;
    expect((await x402.query(id, headers)).status).toBe(200);
  });
});
