import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { findPayoutAccount } from '@agent-marketplace/core/payouts/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, LISTING, pathsOf } from './service.ts';

// Parts "Selling", "Seller dashboard and earnings" and become_seller of the specification, with a card
// processor configured.

const sales = createSalesMarketplace();
const { market } = sales;
const service = createService(market);
const face = createMcpFace(market);
const become = (body: Body, key?: string) =>
  service.post('/sell/register', body, key === undefined ? {} : { key });

/** What was registered and is shown to nobody. */
async function registered(id: unknown): Promise<Body> {
  const [row] = await sales.rows<Body>(
    'SELECT name, email, referral_source AS referralSource, referrer, utm FROM agents WHERE id = ?',
    String(id),
  );
  return { ...row, utm: JSON.parse(String(row?.utm ?? null)) };
}

describe('POST /sell/register', () => {
  clause('selling.register-201');
  it('response 201, without auth: seller registered with a card-processor onboarding URL', async () => {
    const { status, body } = await become({ name: 'Shop' });
    expect([status, body.onboardingUrl]).toEqual([201, expect.stringMatching(/^https:/)]);
    expect(body).toMatchObject({ apiKey: expect.stringMatching(/^mkt_live_/), sellerId: body.id });
    expect((await become({ name: 'Another' })).body.onboardingUrl).not.toBe(body.onboardingUrl);

    // Whoever finishes there is paid by card: what waited for that goes live.
    const key = String(body.apiKey);
    await service.post('/sell/callback', { callbackUrl: 'http://localhost:9/deliver' }, { key });
    const priced = await service.post('/marketplace/listings', { ...LISTING, priceCents: 900 }, { key });
    const { id, status: before } = priced.body.listing as Body;
    const { accountId = '' } = (await findPayoutAccount(market.newPorts().market, String(body.id))) ?? {};
    sales.cards.onboard(accountId);
    for (const { rawBody, signatureHeader } of await sales.cards.takeWebhooks()) {
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
    }
    expect((await service.get('/sell/me', { key })).body.payouts).toMatchObject({ connected: true });
    const { listing } = (await service.get(`/marketplace/listings/${id}`)).body;
    expect([before, listing]).toEqual(['pending', expect.objectContaining({ status: 'active' })]);
  });

  clause('selling.register-fields');
  it('the longest that is taken, and one more: referralSource 300, referrer 500, utm 8 keys', async () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
    for (const [field, longest, tooLong] of [
      ['referralSource', 's'.repeat(300), 's'.repeat(301)],
      ['referrer', 'r'.repeat(500), 'r'.repeat(501)],
      ['utm', keys(8), keys(9)],
    ] as const) {
      const { status, body } = await become({ name: 'Shop', [field]: longest });
      expect([field, status, (await registered(body.id))[field]]).toEqual([field, 201, longest]);
      expect(pathsOf(await become({ name: 'Shop', [field]: tooLong }))).toEqual([field]);
    }
    const { status, body } = await become({ name: 'Shop', email: 's@example.com' });
    expect([status, await registered(body.id)]).toMatchObject([
      201,
      { name: 'Shop', email: 's@example.com' },
    ]);
    expect(pathsOf(await become({ name: 'Shop', email: 'nobody' }))).toEqual(['email']);
    expect(pathsOf(await become({ name: 'Shop', utm: { k: 1 } }))).toEqual(['utm.k']);
  });
});

describe('become_seller', () => {
  const tool = (args: Body) => face.callTool('become_seller', args);

  clause('tool.become-seller');
  it('links an existing key, or mints a new one', async () => {
    const agent = await service.register();
    const place = { name: 'Shop', email: 'shop@example.com', country: 'DE' };
    const linked = await tool({ ...place, api_key: agent.apiKey });
    expect(linked.structuredContent).toMatchObject({ sellerId: agent.id, apiKey: null });
    const minted = await tool({ ...place, name: 'New shop' });
    const { sellerId, apiKey } = minted.structuredContent;
    expect(apiKey).toMatch(/^mkt_live_/);
    for (const [id, key, name] of [
      [agent.id, agent.apiKey, 'Agent'],
      [sellerId, String(apiKey), 'New shop'],
    ] as const) {
      const { status, body } = await service.get('/sell/me', { key });
      expect([status, body.profile]).toMatchObject([200, { id, country: 'DE' }]);
      // A key that is linked keeps the name it was registered with.
      expect(await registered(id)).toMatchObject({ name, email: 'shop@example.com' });
    }
  });

  clause('service.payouts-elsewhere', 'tool.become-seller-country', 'errors.400-country');
  it('country ISO-3166-1 alpha-2; 400 if the processor does not serve it', async () => {
    expect((await tool({ name: 'Shop', country: 'DE' })).isError).toBeUndefined();
    const refused = await tool({ name: 'Shop', country: 'NG' });
    expect(refused.structuredContent).toMatchObject({ status: 400, code: 'country_not_served' });
    expect(JSON.stringify(refused.structuredContent)).toContain('/sell/payout-wallet');
    const { status, body } = await become({ name: 'Shop', country: 'NG' });
    expect([status, body.code]).toEqual([400, 'country_not_served']);
    for (const country of ['Germany', 'D', '12']) {
      expect((await tool({ name: 'Shop', country })).structuredContent.errors).toMatchObject([
        { path: 'country' },
      ]);
    }
  });
});

describe('payouts', () => {
  clause('service.payouts');
  it('onboarding is required for priced listings, and never for free ones', async () => {
    const seller = await service.seller();
    const create = (fields: Body) =>
      service.post('/marketplace/listings', { ...LISTING, ...fields }, { key: seller.apiKey });
    expect(((await create({})).body.listing as Body).status).toBe('active');
    const priced = await create({ priceCents: 100 });
    expect([(priced.body.listing as Body).status, typeof priced.body.claimUrl]).toEqual([
      'pending',
      'string',
    ]);
    const connected = await sales.seller();
    const { id } = await sales.listing({ priceCents: 100 }, connected);
    const { body } = await service.get(`/marketplace/listings/${id}`);
    expect(body.listing).toMatchObject({ status: 'active' });
  });
});

describe.each(['/sell/me', '/sell/earnings'])('GET %s', (path) => {
  clause('selling.me-401', 'authentication.3-not-a-seller', 'errors.401');
  it('401 without a key, with an invalid one, and with one that is not a seller’s', async () => {
    const buyer = await service.register();
    for (const [key, code] of [
      [undefined, 'missing_api_key'],
      ['mkt_live_nobody', 'invalid_api_key'],
      [buyer.apiKey, 'not_a_seller'],
    ] as const) {
      const { status, body } = await service.get(path, key === undefined ? {} : { key });
      expect([status, body.code]).toEqual([401, code]);
    }
  });

  clause('selling.me-carriers', 'authentication.3-headers');
  it('200 with Authorization: Bearer, with x-api-key, and with api_key in the query', async () => {
    const { apiKey } = await service.seller();
    const carriers = [
      await service.get(path, { headers: { authorization: `Bearer ${apiKey}` } }),
      await service.get(path, { headers: { 'x-api-key': apiKey } }),
      await service.get(`${path}?api_key=${apiKey}`),
    ];
    expect(carriers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('Seller dashboard and earnings', () => {
  let key: string;
  let listingId: string;
  let otherId: string;
  beforeAll(async () => {
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    const seller = await sales.seller();
    key = seller.apiKey;
    listingId = (await sales.listing({ priceCents: 4000 }, seller)).id;
    market.clock.advance(1000);
    otherId = (await sales.listing({ priceCents: 2000 }, seller)).id;
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 10_000);
    const byWallet = { body: { payment_method: 'wallet' } };
    await sales.buy(listingId, buyer, byWallet);
    await sales.pass(73 * 3600_000);
    for (const id of [listingId, otherId]) {
      market.clock.advance(1000);
      await sales.buy(id, buyer, byWallet);
    }
  });

  clause('seller.dashboard', 'selling.me');
  it('dashboard: profile and payout status, listings, sales, earnings totals, released payouts, notifications, offers', async () => {
    const { status, body } = await service.get('/sell/me', { key });
    expect(status).toBe(200);
    const { listing } = (await service.get(`/marketplace/listings/${listingId}`)).body;
    const { sellerId, sellerName, title } = listing as Body;
    expect(body).toMatchObject({
      profile: { id: sellerId, sellerLabel: sellerName },
      payouts: { connected: true },
      listings: [{ id: otherId }, { id: listingId, title, priceCents: 4000 }],
      sales: [
        { status: 'held', listingId: otherId, amountCents: 2000 },
        { status: 'held', listingId, amountCents: 4000 },
        { status: 'released', listingId, amountCents: 4000 },
      ],
      earnings: { pendingCents: 5700, availableCents: 3800, grossCents: 10_000, salesCount: 3 },
      releasedPayouts: [expect.objectContaining({ amountCents: 3800 })],
      offers: [],
    });
    const told = (body.notifications as Body[]).map(({ type }) => type);
    expect(told.sort()).toEqual(['sale.held', 'sale.held', 'sale.held', 'sale.released']);
    const unpaid = await service.seller();
    expect((await service.get('/sell/me', { key: unpaid.apiKey })).body.payouts).toMatchObject({
      connected: false,
    });
  });

  clause('seller.earnings', 'seller.available', 'selling.earnings');
  it('earnings: totals and a per-listing breakdown; pendingCents held and releasing, availableCents released', async () => {
    const { status, body } = await service.get('/sell/earnings', { key });
    expect(status).toBe(200);
    const first = { pendingCents: 3800, availableCents: 3800, grossCents: 8000, platformFeeCents: 400 };
    const other = { pendingCents: 1900, availableCents: 0, grossCents: 2000, platformFeeCents: 100 };
    expect(body).toMatchObject({
      pendingCents: 5700,
      availableCents: 3800,
      grossCents: 10_000,
      platformFeeCents: 500,
      salesCount: 3,
      listings: [
        { listingId, ...first, salesCount: 2 },
        { listingId: otherId, ...other, salesCount: 1 },
      ],
    });
  });

  clause('seller.offers');
  it('live exclusive offers are shown', async () => {
    const seller = await sales.seller();
    const { id } = await sales.listing({ priceCents: 4000, listingType: 'exclusive' }, seller);
    const { apiKey } = await service.register();
    const offer = { amountCents: 3000 };
    expect((await service.post(`/marketplace/listings/${id}/offers`, offer, { key: apiKey })).status).toBe(
      201,
    );
    const { body } = await service.get('/sell/me', { key: seller.apiKey });
    expect(body.offers).toMatchObject([{ listingId: id, amountCents: 3000 }]);
  });
});
