import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { newHealthListingOf } from '@agent-marketplace/core/testing/fixtures/health-data.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, NOWHERE, pathsOf } from './service.ts';

// Parts "Wallet" and "Bulk purchase" of the specification.

const sales = createSalesMarketplace();
const { market, cards } = sales;
const service = createService(market);
let seller: RegisteredAgent;
beforeAll(async () => {
  seller = await sales.seller();
});
beforeEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});

const fund = (body: Body, { apiKey: key }: RegisteredAgent) => service.post('/wallet/fund', body, { key });
const balance = async ({ apiKey: key }: RegisteredAgent) =>
  (await service.get('/wallet/balance', { key })).body;

describe('GET /wallet/balance', () => {
  clause('wallet.balance-key');
  it('needs a key; api_key in the query', async () => {
    expect((await service.get('/wallet/balance')).status).toBe(401);
    const { apiKey } = await sales.newAgent();
    expect((await service.get(`/wallet/balance?api_key=${apiKey}`)).status).toBe(200);
  });

  clause('wallet.balance');
  it('prepaid balance, totals funded and spent, auto-recharge, saved card, cap, recent activity', async () => {
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 5000);
    await sales.saveCard(buyer);
    const { id } = await sales.listing({ priceCents: 1200 }, seller);
    await sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
    expect(await balance(buyer)).toMatchObject({
      balanceCents: 3800,
      fundedCents: 5000,
      spentCents: 1200,
      capCents: 50_000,
      autoRecharge: { enabled: false, thresholdCents: 500, rechargeAmountCents: 2000 },
      savedCard: { brand: 'visa', last4: '4242' },
    });
    const figures = { threshold_cents: 700, recharge_amount_cents: 1500 };
    await service.post('/wallet/auto-recharge', { enabled: true, ...figures }, { key: buyer.apiKey });
    expect(await balance(buyer)).toMatchObject({
      autoRecharge: { enabled: true, thresholdCents: 700, rechargeAmountCents: 1500 },
    });
    expect(await balance(await sales.newAgent())).toMatchObject({
      balanceCents: 0,
      fundedCents: 0,
      spentCents: 0,
      savedCard: null,
      recentActivity: [],
    });
    const { recentActivity } = (await balance(buyer)) as { recentActivity: { amountCents: number }[] };
    expect(recentActivity.map(({ amountCents }) => amountCents)).toEqual([-1200, 5000]);
  });
});

describe('POST /wallet/fund', () => {
  clause('wallet.checkout-url', 'wallet.credits');
  it('response 200: a checkoutUrl; the credits are there once it is paid, and not before', async () => {
    const buyer = await sales.newAgent();
    const { status, body } = await fund({ amount_cents: 2500 }, buyer);
    expect([status, String(body.checkoutUrl)]).toEqual([200, expect.stringMatching(/^https:/)]);
    expect(await balance(buyer)).toMatchObject({ balanceCents: 0, fundedCents: 0 });
    await sales.payTopUp(body.checkoutUrl);
    expect(await balance(buyer)).toMatchObject({ balanceCents: 2500, fundedCents: 2500 });
  });

  clause('wallet.fund');
  it('needs a key; amount_cents is required', async () => {
    expect((await service.post('/wallet/fund', { amount_cents: 1000 })).status).toBe(401);
    expect(pathsOf(await fund({}, await sales.newAgent()))).toEqual(['amount_cents']);
  });

  clause('wallet.amount', 'limits.top-up');
  it('amount_cents integer 1000-50000', async () => {
    for (const amount_cents of [1000, 50_000]) {
      expect((await fund({ amount_cents }, await sales.newAgent())).status).toBe(200);
    }
    for (const amount_cents of [999, 50_001, 1000.5, '1000', null]) {
      expect(pathsOf(await fund({ amount_cents }, await sales.newAgent()))).toEqual(['amount_cents']);
    }
  });

  clause('limits.wallet-cap');
  it('the balance is capped at 50000 cents: reached exactly, and not passed by one', async () => {
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 40_000);
    const over = await fund({ amount_cents: 10_001 }, buyer);
    expect([over.status, over.body.code]).toEqual([409, 'wallet_cap_exceeded']);
    await sales.fund(buyer, 10_000);
    expect(await balance(buyer)).toMatchObject({ balanceCents: 50_000 });
    expect((await fund({ amount_cents: 1000 }, buyer)).body.code).toBe('wallet_cap_exceeded');
  });
});

describe('setup_payment_method', () => {
  clause('tool.setup-payment-method');
  it('returns a setup URL that a person completes once, with no charge', async () => {
    const buyer = await sales.newAgent();
    const { status, body } = await service.post('/wallet/payment-method', {}, { key: buyer.apiKey });
    expect([status, String(body.setupUrl)]).toEqual([200, expect.stringMatching(/^https:/)]);
    const paymentsBefore = cards.payments.length;
    await sales.saveCard(buyer);
    expect(await balance(buyer)).toMatchObject({ savedCard: { last4: '4242' }, balanceCents: 0 });
    expect(cards.payments).toHaveLength(paymentsBefore);
  });
});

describe('configure_auto_recharge', () => {
  const configure = (body: Body, { apiKey: key }: RegisteredAgent) =>
    service.post('/wallet/auto-recharge', body, { key });

  clause('tool.configure-auto-recharge-card');
  it('enabled is required; requires a saved card', async () => {
    const buyer = await sales.newAgent();
    expect(pathsOf(await configure({}, buyer))).toEqual(['enabled']);
    const without = await configure({ enabled: true }, buyer);
    expect([without.status, without.body.code]).toEqual([409, 'no_saved_card']);
    await sales.saveCard(buyer);
    const figures = { threshold_cents: 700, recharge_amount_cents: 1500 };
    expect((await configure({ enabled: true, ...figures }, buyer)).body).toMatchObject({
      enabled: true,
      thresholdCents: 700,
      rechargeAmountCents: 1500,
    });
    await market.background.settled();
    expect(await balance(buyer)).toMatchObject({ balanceCents: 1500 });
  });
});

describe('wallet_transactions', () => {
  clause('tool.wallet-transactions');
  it('limit default 50, offset default 0, newest first', async () => {
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 50_000);
    const { id } = await sales.listing({ priceCents: 1 }, seller);
    for (let n = 0; n < 50; n += 1) {
      market.clock.advance(1000);
      await sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
    }
    const list = async (query = '') =>
      (await service.get(`/wallet/transactions${query}`, { key: buyer.apiKey })).body as Body & {
        transactions: { amountCents: number }[];
      };
    const amounts = async (query?: string) =>
      (await list(query)).transactions.map(({ amountCents }) => amountCents);
    const all = await list();
    expect([all.limit, all.offset, all.transactions.length]).toEqual([50, 0, 50]);
    expect(new Set(await amounts())).toEqual(new Set([-1]));
    expect(await amounts('?offset=49')).toEqual([-1, 50_000]);
    expect(await amounts('?limit=1&offset=50')).toEqual([50_000]);
  });
});

describe('bulk_purchase', () => {
  const bulk = (listing_ids: unknown, { apiKey: key }: RegisteredAgent, body: Body = {}) =>
    service.post('/marketplace/purchases/bulk', { listing_ids, ...body }, { key });
  const itemsOf = async (...args: Parameters<typeof bulk>) =>
    (await bulk(...args)).body.items as { listingId: string; code: string | null; status: string | null }[];

  clause('limits.bulk-count');
  it('1 to 100 listings', async () => {
    const buyer = await sales.newAgent();
    const ids = (count: number) => Array.from({ length: count }, () => crypto.randomUUID());
    for (const wrong of [[], ids(101), 'x', undefined]) {
      expect(pathsOf(await bulk(wrong, buyer))).toEqual(['listing_ids']);
    }
    expect(await itemsOf(ids(1), buyer)).toHaveLength(1);
    expect(await itemsOf(ids(100), buyer)).toHaveLength(100);
    expect(pathsOf(await bulk(['not-a-uuid'], buyer))).toEqual(['listing_ids.0']);
  });

  clause('tool.bulk-purchase-duplicates');
  it('duplicates are ignored; payment_method wallet (default) or card', async () => {
    const { id } = await sales.listing({ priceCents: 1000 }, seller);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    expect(await itemsOf([id, id, id], buyer)).toMatchObject([
      { listingId: id, code: null, status: 'authorized' },
    ]);
    expect((await bulk([id], buyer, { payment_method: 'card' })).body.code).toBe('no_saved_card');
    await sales.saveCard(buyer);
    expect(await itemsOf([id], buyer, { payment_method: 'card' })).toMatchObject([{ status: 'authorized' }]);
    expect(pathsOf(await bulk([id], buyer, { payment_method: 'checkout' }))).toEqual(['payment_method']);
  });

  clause('limits.bulk-price');
  it('combined price at most 50000 cents', async () => {
    const half = (await sales.listing({ priceCents: 25_000 }, seller)).id;
    const rest = (await sales.listing({ priceCents: 25_000 }, seller)).id;
    const one = (await sales.listing({ priceCents: 1 }, seller)).id;
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 50_000);
    const over = await bulk([half, rest, one], buyer);
    expect([over.status, over.body.code]).toEqual([400, 'bulk_too_large']);
    expect(await itemsOf([half, rest], buyer)).toMatchObject([
      { status: 'authorized' },
      { status: 'authorized' },
    ]);
  });

  clause('limits.bulk-standard');
  it('standard listings only: not exclusive, limited or personal-health', async () => {
    const exclusive = (await sales.listing({ listingType: 'exclusive' }, seller)).id;
    const limited = (await sales.listing({ listingType: 'limited', maxCopies: 3 }, seller)).id;
    const health = await newHealthListingOf(market, seller);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 50_000);
    const items = await itemsOf([exclusive, limited, health, NOWHERE], buyer);
    expect(items.map(({ code }) => code)).toEqual([
      'not_in_bulk',
      'not_in_bulk',
      'not_in_bulk',
      'listing_not_found',
    ]);
    expect(await balance(buyer)).toMatchObject({ balanceCents: 50_000 });
  });
});

describe('the wallet never changes pricing or the split', () => {
  clause('fees.wallet');
  it('the same price and fee from the wallet as by card', async () => {
    const { id } = await sales.listing({ priceCents: 4321 }, seller);
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 5000);
    await sales.saveCard(buyer, 'available_at_once');
    const [byWallet, byCard] = [
      await sales.buy(id, buyer, { body: { payment_method: 'wallet' } }),
      await sales.buy(id, buyer, { body: { payment_method: 'card' } }),
    ];
    for (const { status, body } of [byWallet, byCard]) {
      expect([status, body.amountCents, body.platformFeeCents]).toEqual([200, 4321, 216]);
    }
    expect([byWallet.body.rail, byCard.body.rail]).toEqual(['wallet', 'card']);
    expect(await balance(buyer)).toMatchObject({ balanceCents: 679 });
  });
});
