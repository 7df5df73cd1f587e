import { afterEach, describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../budgets/policy.rules.ts';
import { cardWebhook } from '../compose/card-webhook.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { boundKey } from '../testing/fixtures/bound-key.ts';
import { createMcpFace } from '../testing/marketplace/mcp-face.ts';
import { createQueryMarketplace } from '../testing/marketplace/query-marketplace.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { sessionOf } from '../testing/marketplace/sales-marketplace.ts';
import { createUsdcShop } from '../testing/marketplace/usdc-shop.ts';

// Whole operations where they are deployed: on workerd and D1. What they do in detail is tested in Node, and by
// `pnpm test:workerd` here as well.

const x402 = createQueryMarketplace();
const { sales, market, cards } = { ...x402, cards: x402.sales.cards };
market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

const HELD = { status: 'held', content: { answer: 42 }, contentMatchesReceipt: true };

it('an agent registers, and is known by its key', async () => {
  const agent = await sales.newAgent({ name: 'Harbour master' });
  const { status, body } = await sales.request('GET', '/agents/me', agent.apiKey);
  expect([status, body], JSON.stringify(body)).toEqual([200, expect.objectContaining({ id: agent.id })]);
});

it('a listing is made, searched for and shown', async () => {
  const { id } = await sales.listing({ title: 'Tide tables of Brest', priceCents: 250 });
  const found = await sales.request('GET', '/marketplace/listings?q=brest', null);
  expect(found.body).toMatchObject({
    listings: [expect.objectContaining({ id, title: 'Tide tables of Brest' })],
  });
  const shown = await sales.request('GET', `/marketplace/listings/${id}`, null);
  expect(shown.body).toMatchObject({ listing: { id, priceCents: 250 } });
});

describe('a purchase', () => {
  it('of what is free', async () => {
    const { id } = await sales.listing({ priceCents: 0 });
    expect((await sales.buy(id, await sales.newAgent())).body).toMatchObject({
      ...HELD,
      status: 'released',
    });
  });

  it('from the wallet, repeated with its key to the byte', async () => {
    const { id, seller } = await sales.listing({ priceCents: 1000 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 3000);
    const ask = () => sales.buy(id, buyer, { body: { payment_method: 'wallet' }, idempotencyKey: 'once' });
    const { body } = await ask();
    expect(body).toMatchObject({ ...HELD, rail: 'wallet' });
    expect((await ask()).body).toEqual(body);
    expect([await sales.balanceOf(buyer), await sales.account(`escrow:${seller.id}`)]).toEqual([2000, 1000]);
  });

  it('is made three times by 100 requests at once of a key with a budget for three', async () => {
    const { id } = await sales.listing({ priceCents: 1000 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 5000);
    const [policyId = ''] = await boundKey(market.newPorts(), buyer, { ...NO_LIMITS, perDayCents: 3500 });
    const ask = () => sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
    const answers = await Promise.all(Array.from({ length: 100 }, ask));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => `${status} ${body.code} ${body.charged}`)).toEqual(
      Array(97).fill('403 budget_exceeded false'),
    );
    expect(await sales.balanceOf(buyer)).toBe(2000);
    expect(
      await sales.rows(
        'SELECT DISTINCT reserved_cents, spent_cents FROM spend_windows WHERE policy_id = ?',
        policyId,
      ),
    ).toEqual([{ reserved_cents: 0, spent_cents: 3000 }]);
  });

  it('by card', async () => {
    const { id } = await sales.listing({ priceCents: 10_000 });
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'card' } });
    expect(body).toMatchObject({ ...HELD, rail: 'card', platformFeeCents: 500 });
  });

  it('by checkout, from the page to the report of the processor', async () => {
    const { id } = await sales.listing({ priceCents: 10_000 });
    const buyer = await sales.newAgent();
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
    expect(body).toMatchObject({ status: 'pending_payment', content: null });
    cards.payCheckout(sessionOf(body.checkoutUrl));
    for (const { rawBody, signatureHeader } of await cards.takeWebhooks()) {
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
    }
    expect((await sales.read(body.id, buyer)).body).toMatchObject({ ...HELD, rail: 'checkout' });
  });

  it.each([1, 2] as const)('over x402, version %i', async (version) => {
    const { id } = await sales.listing({ priceCents: 250 });
    const payment = await x402.pay(x402.newPayer(), id, version);
    const { status, body, text } = await x402.query(id, payment);
    expect([status, body], text).toEqual([200, expect.objectContaining({ ...HELD, rail: 'x402' })]);
  });

  it('that is disputed and refunded', async () => {
    const { id } = await sales.listing({ priceCents: 1000 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'wallet' } });
    const path = `/marketplace/purchases/${body.id}/dispute`;
    expect((await sales.request('POST', path, buyer.apiKey, { reason: 'Wrong.' })).status).toBe(200);
    expect((await sales.request('POST', path, buyer.apiKey, { reason: 'Wrong.' })).status).toBe(409);
  });

  it('whose reply was lost after the commit is made once', async () => {
    const { id } = await sales.listing({ priceCents: 1000 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 2000);
    const ask = () => sales.buy(id, buyer, { body: { payment_method: 'wallet' }, idempotencyKey: 'lost' });
    market.market.fault = (sql) =>
      sql.some((one) => one.includes('content_digest')) ? 'lose_reply' : undefined;
    await ask();
    market.market.fault = () => undefined;
    await sales.pass(10 * 60_000);
    expect((await ask()).body).toMatchObject({ ...HELD, rail: 'wallet' });
    expect(await sales.balanceOf(buyer)).toBe(1000);
  });

  it('of the last copy, by two at once, is made once', async () => {
    const { id } = await sales.listing({ priceCents: 0, listingType: 'exclusive' });
    const buyers = [await sales.newAgent(), await sales.newAgent()];
    const answers = await Promise.all(buyers.map((buyer) => sales.buy(id, buyer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

it('a sale is paid out once its time in escrow is over: in USDC', async () => {
  const shop = createUsdcShop(x402);
  const { seller, account, buyer } = await shop.open();
  x402.chain.fund(x402.chain.payTo, 1_000_000_000n);
  const purchaseId = await shop.sell(seller, buyer, 1000);
  await sales.pass(73 * 3600_000, 1);
  expect(await shop.statusOf(purchaseId)).toBe('released');
  expect(shop.received(account.address)).toEqual([10_000_000n]);
});

it('a tool answers as its operation does', async () => {
  const { id } = await sales.listing();
  const { structuredContent } = await createMcpFace(market).callTool('preview_listing', { listing_id: id });
  const { body } = await sales.request('GET', `/marketplace/listings/${id}`, null);
  expect(structuredContent).toMatchObject(body);
});

it('a body whose length is not declared is cut off at its limit', async () => {
  const bytes = new Uint8Array(2 * 1024 * 1024).fill(32);
  const response = await market.request('POST', '/agents/register', {
    stream: new Blob([bytes]).stream(),
    headers: { 'content-type': 'application/json' },
  });
  expect([response.status, (await readSigned(response)).body.code]).toEqual([413, 'body_too_large']);
});
