import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import {
  createQueryMarketplace,
  decodeHeader,
  type PaymentHeaders,
} from '../../testing/marketplace/query-marketplace.ts';

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;

afterEach(async () => {
  await x402.heal();
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await sales.audit();
});
market.sellerEndpoint.script = sellerOf({ answer: 42 });

describe.each([1, 2, 'mpp'] as const)('a paid query, by %s', (version) => {
  it('brings the data with a receipt, settled and held', async () => {
    const { id, seller } = await sales.listing({ priceCents: 250 });
    const payer = x402.newPayer();
    const headers = await x402.pay(payer, id, version);
    const before = chain.balanceOf(chain.payTo);
    const answer = await x402.query(id, headers);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'held',
      rail: 'x402',
      amountCents: 250,
      content: { answer: 42 },
      contentMatchesReceipt: true,
      payment: { amountUnits: '2500000', network: 'eip155:8453', payer: payer.address.toLowerCase() },
    });
    expect(chain.balanceOf(chain.payTo) - before).toBe(2_500_000n);
    expect(await sales.account(`escrow:${seller.id}`)).toBe(250 - answer.body.platformFeeCents);
    // What it is answered with is in mpp.test.ts.
    if (version === 'mpp') return;
    const result = { success: true, transaction: answer.body.payment.transaction };
    expect(decodeHeader(answer, 'PAYMENT-RESPONSE')).toMatchObject({ ...result, network: 'eip155:8453' });
    expect(decodeHeader(answer, 'X-PAYMENT-RESPONSE')).toMatchObject({ ...result, network: 'base' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('takes no money where the seller does not deliver', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const payer = x402.newPayer();
    const before = chain.balanceOf(payer.address);
    market.sellerEndpoint.script = () => ({ kind: 'unreachable' });
    const answer = await x402.query(id, await x402.pay(payer, id, version));
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
    expect(chain.balanceOf(payer.address)).toBe(before);
  });
});

describe('a query that is JSON, and yet no query', () => {
  const inputSchema = { type: 'object', properties: { filter: { type: 'object' } } };

  it.each([
    ['a lone surrogate', '{"q":"\\ud800"}'],
    ['a key twice', '{"q":1,"q":2}'],
    ['no end of levels', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`],
  ])('%s: is refused by name, before anything is paid', async (_, filter) => {
    const parameters = `?filter=${encodeURIComponent(filter)}`;
    const free = await sales.listing({ priceCents: 0, inputSchema });
    const unpaid = await x402.query(free.id, {}, parameters);
    expect([unpaid.status, unpaid.body.code]).toEqual([400, 'query_not_accepted']);

    const { id } = await sales.listing({ priceCents: 250, inputSchema });
    const payer = x402.newPayer(2_500_000n);
    const headers = await x402.pay(payer, id, 2, { parameters });
    const answer = await x402.query(id, headers, parameters);
    expect([answer.status, answer.body.code, answer.body.charged]).toEqual([
      400,
      'query_not_accepted',
      false,
    ]);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(['filter']);
    expect([chain.balanceOf(payer.address), await sales.purchases(id)]).toEqual([2_500_000n, []]);
    // Nothing of it was spent; the corrected query has terms of its own.
    const good = `?filter=${encodeURIComponent('{"q":1}')}`;
    const corrected = await x402.query(id, await x402.pay(payer, id, 2, { parameters: good }), good);
    expect([corrected.status, corrected.body.query]).toEqual([200, { filter: { q: 1 } }]);
  });
});

describe('HEAD, which only looks', () => {
  it('buys nothing, paid or free', async () => {
    const [priced, free] = [await sales.listing({ priceCents: 250 }), await sales.listing({ priceCents: 0 })];
    const headers = await x402.pay(x402.newPayer(), priced.id, 2);
    const before = chain.balanceOf(chain.payTo);
    for (const { id } of [priced, free]) {
      const answer = await market.request('HEAD', `/x402/listings/${id}/query`, { headers });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
      expect(await answer.text()).toBe('');
      expect(await sales.purchases(id)).toEqual([]);
    }
    expect(chain.balanceOf(chain.payTo)).toBe(before);
    expect((await x402.query(priced.id, headers)).status).toBe(200);
  });
});

describe('the page of a paid query', () => {
  const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';
  const EXTENSION = { 'payment-identifier': { info: { required: false, id: 'page-of-a-paid-query-1' } } };

  it('opens the purchase to whoever paid: to collect again, and to object', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const { body } = await x402.query(id, await x402.pay(x402.newPayer(), id, 2));
    const token = tokenOf(body.purchaseUrl);
    const path = `/marketplace/purchases/${body.id}`;
    const again = await x402.get(`${path}?token=${token}`);
    expect(again.body).toMatchObject({ status: 'held', content: { answer: 42 } });
    const disputed = await sales.request('POST', `${path}/dispute`, null, { token, reason: 'Not so.' });
    expect(disputed.status).toBe(200);
  });

  it('is not told again to a payment of version 1, which anyone could take from the chain', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const headers = await x402.pay(x402.newPayer(), id, 1);
    const first = await x402.query(id, headers);
    const copy = await x402.query(id, headers);
    expect([first.body.purchaseUrl === null, copy.status, copy.body.purchaseUrl]).toEqual([false, 200, null]);
  });

  it('is told again where the payment has an identifier, which is not on chain', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const headers = await x402.pay(x402.newPayer(), id, 2, { extensions: EXTENSION });
    const first = await x402.query(id, headers);
    const again = await x402.query(id, headers);
    expect(first.status, first.text).toBe(200);
    expect(again.body.purchaseUrl).toBe(first.body.purchaseUrl);
  });
});

describe.each([1, 2] as const)('a paid query with an API key beside the payment, version %i', (version) => {
  it('is a purchase of that agent, as on every rail, and of nobody else', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const [buyer, stranger] = [await sales.newAgent(), await sales.newAgent()];
    const parameters = '?harbour=Brest';
    const headers = await x402.pay(x402.newPayer(), id, version, { parameters });
    const { status, text, body } = await x402.query(
      id,
      { ...headers, 'x-api-key': buyer.apiKey },
      parameters,
    );
    expect(status, text).toBe(200);
    expect(body.receipt.statement.buyer).toMatch(/^buyer-/);

    const path = `/marketplace/purchases/${body.id}`;
    const read = await sales.request('GET', path, buyer.apiKey);
    expect(read.body).toMatchObject({
      status: 'held',
      rail: 'x402',
      query: { harbour: 'Brest' },
      content: { answer: 42 },
    });
    expect((await sales.request('GET', path, stranger.apiKey)).body.code).toBe('not_purchase_owner');
    // Terms that could not be used would be signed.
    expect((await sales.request('DELETE', '/agents/me', stranger.apiKey)).status).toBe(202);
    expect((await x402.query(id, { 'x-api-key': stranger.apiKey })).body.code).toBe('account_erasing');
    const listed = async (apiKey: string) => {
      const { body } = await x402.get('/purchases', { 'x-api-key': apiKey });
      return body.purchases.map((one: { id: string }) => one.id);
    };
    expect([await listed(buyer.apiKey), await listed(stranger.apiKey)]).toEqual([[body.id], []]);

    // The key shows whose payment it is, from wherever and without the token of the first answer.
    market.clock.advance(2 * 60_000);
    const repeat = (key: object) => x402.query(id, { ...headers, ...key } as PaymentHeaders, parameters);
    expect((await repeat({ 'x-api-key': buyer.apiKey })).body).toMatchObject({
      id: body.id,
      content: { answer: 42 },
    });
    const rated = await sales.request('POST', `/marketplace/listings/${id}/rate`, buyer.apiKey, {
      purchase_id: body.id,
      rating: 5,
    });
    expect(rated.status).toBe(200);
    const disputed = await sales.request('POST', `${path}/dispute`, buyer.apiKey, { reason: 'Not so.' });
    expect(disputed.status).toBe(200);
  });
});
