import { createWindowRateLimiter } from '@agent-marketplace/core/adapters/rate-limit/window-rate-limiter.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { readJson } from '@agent-marketplace/core/testing/fixtures/demand-oracle.ts';
import { newHealthListingOf } from '@agent-marketplace/core/testing/fixtures/health-data.ts';
import {
  base64Json,
  createQueryMarketplace,
  decodeHeader,
  type Forgery,
  type PaymentHeaders,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { newAccount } from '@agent-marketplace/core/testing/suites/chain.harness.ts';
import { keySetOf, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import {
  PaymentRequiredV1Schema,
  PaymentRequiredV2Schema,
  PaymentRequirementsSchema,
} from '@x402/core/schemas';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { NOWHERE } from './service.ts';

// Clause: x402 pay-per-query. The reference clients' own checks are in test/e2e.

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;
const VERSIONS = [1, 2] as const;
const SECONDS = 1000;

beforeEach(() => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
});
afterEach(async () => {
  await x402.heal();
  await sales.audit();
});

const nowSeconds = () => BigInt(Math.floor(market.clock.now() / SECONDS));
const statuses = async (listingId: string) => (await sales.purchases(listingId)).map(({ status }) => status);

/** What a client put into its header. */
const decodeSent = (headers: PaymentHeaders) =>
  decodeHeader({ headers: new Headers(headers) }, Object.keys(headers)[0] ?? '');

describe('GET /x402/listings/{id}/query without a payment', () => {
  clause('x402.terms', 'x402.missing', 'errors.402', 'limits.x402');
  it('is 402 with the terms of version 1: exact, base, USDC, 60 seconds', async () => {
    const { id } = await sales.listing({ priceCents: 123 });
    const { status, body, headers } = await x402.query(id, {}, '?city=Brest');
    expect([status, headers.get('content-type')]).toEqual([402, 'application/json']);
    expect(PaymentRequiredV1Schema.safeParse(body).error).toBeUndefined();
    expect(body).toEqual({
      x402Version: 1,
      error: 'Payment required',
      accepts: [
        {
          scheme: 'exact',
          network: 'base',
          maxAmountRequired: '1230000',
          asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          payTo: chain.payTo,
          resource: `http://localhost/api/x402/listings/${id}/query?city=Brest`,
          description: 'Hourly weather',
          mimeType: 'application/json',
          maxTimeoutSeconds: 60,
          extra: { name: 'USD Coin', version: '2' },
        },
      ],
    });
  });

  clause('x402.terms');
  it('has the same terms for version 2 in PAYMENT-REQUIRED, with the extensions', async () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const exampleQuery = { city: 'Brest' };
    const { id } = await sales.listing({ priceCents: 5, inputSchema, exampleQuery });
    const required = decodeHeader(await x402.query(id), 'PAYMENT-REQUIRED');
    expect(PaymentRequiredV2Schema.safeParse(required).error).toBeUndefined();
    expect(required).toMatchObject({
      x402Version: 2,
      resource: { url: expect.stringContaining(id), mimeType: 'application/json' },
      accepts: [
        {
          scheme: 'exact',
          network: 'eip155:8453',
          amount: '50000',
          asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          payTo: chain.payTo,
          maxTimeoutSeconds: 60,
        },
      ],
      extensions: {
        bazaar: { info: { input: { type: 'http', method: 'GET', queryParams: exampleQuery } } },
        'payment-identifier': { info: { required: false } },
      },
    });
    expect(required.extensions.bazaar.schema.properties.input.properties.queryParams).toEqual(inputSchema);
  });

  it('comes before the query is looked at: a probe learns the price', async () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const { id } = await sales.listing({ inputSchema });
    for (const query of ['', '?n=x', '?n=1&n=2', '?__proto__=1', '?id=1'])
      expect((await x402.query(id, {}, query)).status, query).toBe(402);
    expect(market.sellerEndpoint.requests.some(({ body }) => body.includes('delivery_request'))).toBe(false);
    expect(await statuses(id)).toEqual([]);
  });

  it('fits into a header: without the schemas where they or the query are long, and never for too long a query', async () => {
    const long = (length: number) => `?text=${'a'.repeat(length)}`;
    const outputSchema = { type: 'object', description: 'x'.repeat(9000) };
    const inputSchema = { type: 'object', description: 'x'.repeat(2000) };
    const { id } = await sales.listing({ priceCents: 5, inputSchema });
    const large = await sales.listing({ priceCents: 5, outputSchema });
    const free = await sales.listing({ priceCents: 0 });
    const extensions = async (listingId: string, query = '') => {
      const answer = await x402.query(listingId, {}, query);
      expect([answer.status, (answer.headers.get('payment-required')?.length ?? 0) < 12_300]).toEqual([
        402,
        true,
      ]);
      return Object.keys(decodeHeader(answer, 'PAYMENT-REQUIRED').extensions);
    };
    expect(await extensions(id, long(2000))).toEqual(['bazaar', 'offer-receipt', 'payment-identifier']);
    expect(await extensions(id, long(7000))).toEqual(['payment-identifier']);
    expect(await extensions(large.id)).toEqual(['offer-receipt', 'payment-identifier']);
    const tooLong = await x402.query(id, {}, long(9000));
    expect([tooLong.status, tooLong.body.code, tooLong.body.charged]).toEqual([400, 'query_too_long', false]);
    expect(tooLong.headers.get('payment-required')).toBeNull();
    expect((await x402.query(free.id, {}, long(9000))).status).toBe(200);
  });

  it('of an unknown listing is 404, of one off the market or sold out 409', async () => {
    expect((await x402.query(NOWHERE)).status).toBe(404);
    const { id, seller } = await sales.listing();
    await sales.request('POST', `/marketplace/listings/${id}/deactivate`, seller.apiKey, {});
    expect((await x402.query(id)).body.code).toBe('listing_not_active');
    const last = await sales.listing({ listingType: 'exclusive' });
    expect((await x402.query(last.id, await x402.pay(x402.newPayer(), last.id, 2))).status).toBe(200);
    expect((await x402.query(last.id)).body.code).toBe('sold_out');
  });

  clause('x402.free');
  it('of a free listing is 200 with the data', async () => {
    const { id } = await sales.listing({ priceCents: 0 });
    const { status, body, headers } = await x402.query(id);
    expect([status, body.status, body.payment, body.content]).toEqual([
      200,
      'released',
      null,
      { answer: 42 },
    ]);
    expect([body.receipt.statement.rail, headers.get('cache-control')]).toEqual(['x402', 'no-store']);
  });

  it('answers a preflight, and lets pages read its headers', async () => {
    const { id } = await sales.listing();
    const preflight = await market.request('OPTIONS', `/x402/listings/${id}/query`);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('*');
    expect((await x402.query(id)).headers.get('access-control-expose-headers')).toBe('*');
  });
});

describe('personal health data', () => {
  clause('x402.never-health');
  it('is never sold over x402', async () => {
    const id = await newHealthListingOf(market, await sales.seller());
    const { status, body } = await x402.query(id);
    expect([status, body.code]).toEqual([409, 'not_over_x402']);
    // Nor to one who pays for it all the same, as for any other listing of this price.
    const alike = await sales.listing({ priceCents: 2500 });
    const payer = x402.newPayer();
    const before = chain.balanceOf(payer.address);
    const paid = await x402.query(id, await x402.pay(payer, alike.id, 1));
    expect([paid.status, paid.body.code, paid.body.content]).toEqual([409, 'not_over_x402', undefined]);
    expect([chain.balanceOf(payer.address), await statuses(id)]).toEqual([before, []]);
    const { body: found } = await x402.get('/x402/discovery/resources?limit=100');
    expect(JSON.stringify(found)).not.toContain(id);
  });
});

describe.each(VERSIONS)('a payment of version %i', (version) => {
  clause('service.pay-x402', 'x402.no-account', 'x402.data', 'authentication.5-x402');
  it('brings the data, a receipt that verifies, and the result in both headers', async () => {
    const { id, seller } = await sales.listing({ priceCents: 250 });
    const payer = x402.newPayer();
    const paidBefore = chain.balanceOf(chain.payTo);
    const answer = await x402.query(id, await x402.pay(payer, id, version));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      content: { answer: 42 },
      rail: 'x402',
      status: 'held',
      amountCents: 250,
      payment: { payer: payer.address.toLowerCase(), amountUnits: '2500000', network: 'eip155:8453' },
    });
    const { transaction } = answer.body.payment;
    expect(decodeHeader(answer, 'X-PAYMENT-RESPONSE')).toEqual({
      success: true,
      transaction,
      network: 'base',
      payer: payer.address.toLowerCase(),
    });
    expect(decodeHeader(answer, 'PAYMENT-RESPONSE')).toMatchObject({
      amount: '2500000',
      network: 'eip155:8453',
    });
    expect(chain.balanceOf(chain.payTo) - paidBefore).toBe(2_500_000n);
    expect(await sales.account(`escrow:${seller.id}`)).toBe(250 - answer.body.platformFeeCents);

    const { statement, ...receipt } = answer.body.receipt;
    const verified = await market.request('POST', '/verify-receipt', {
      body: { receipt, payload: statement },
    });
    expect(await verified.json()).toMatchObject({ valid: true, signatureValid: true, digestValid: true });
    expect(statement).toMatchObject({ rail: 'x402', amountCents: 250, buyer: null });
    const keys = keySetOf(await (await market.request('GET', '/signing-key')).json());
    expect(await verifyPurchaseReceipt(answer.body, keys)).toMatchObject({ valid: true, content: 'matches' });
  });

  clause('demand.externally-signed', 'demand.row-rails');
  it('is counted by the demand ledger as one that anybody can look up', async () => {
    const { id } = await sales.listing({ priceCents: 250 });
    const figures = async () => {
      market.clock.advance(60 * SECONDS);
      const { externallySigned, byRail, ledger } = await readJson<{
        externallySigned: number;
        byRail: { x402: number };
        ledger: { rail: string }[];
      }>(market, '/proof/demand');
      return { externallySigned, paid: byRail.x402, rail: ledger[0]?.rail };
    };
    const before = await figures();
    expect((await x402.query(id, await x402.pay(x402.newPayer(), id, version))).status).toBe(200);
    expect(await figures()).toEqual({
      externallySigned: before.externallySigned + 1,
      paid: before.paid + 1,
      rail: 'x402',
    });
  });

  clause('x402.once');
  it('sent again for the same query brings the data again, as the same purchase, charged once', async () => {
    const { id } = await sales.listing({ priceCents: 100, listingType: 'limited', maxCopies: 1 });
    const payer = x402.newPayer(1_000_000n);
    const headers = await x402.pay(payer, id, version, { parameters: '?a=1' });
    const first = await x402.query(id, headers, '?a=1');
    expect([first.status, chain.balanceOf(payer.address)]).toEqual([200, 0n]);
    chain.fund(payer.address, 1_000_000n);
    market.clock.advance(3600 * SECONDS);
    // Version 1 shows by it that the payment is its own; version 2 by the challenge, which comes with the payment.
    const resume = { 'X-MKT-Resume': first.headers.get('X-MKT-Resume') ?? '' };
    const again = await x402.query(id, version === 1 ? { ...headers, ...resume } : headers, '?a=1');
    expect([again.status, again.body.id, again.body.content]).toEqual([200, first.body.id, { answer: 42 }]);
    expect(again.body.payment).toEqual(first.body.payment);
    expect(await sales.purchases(id)).toHaveLength(1);
    expect(chain.balanceOf(payer.address)).toBe(1_000_000n);
  });

  clause('errors.charged');
  it('that was settled is said to be charged where the data cannot be given again just now', async () => {
    const { id } = await sales.listing({ priceCents: 100 });
    const headers = await x402.pay(x402.newPayer(), id, version);
    const first = await x402.query(id, headers);
    expect([first.status, first.body.charged]).toEqual([200, undefined]);
    market.sellerEndpoint.script = () => replied({}, 500);
    const again = await x402.query(id, headers);
    expect([again.status, again.body.code, again.body.charged]).toEqual([503, 'paid_not_delivered', true]);
  });

  it('is no payment for another query, another listing, or a day later', async () => {
    const { id } = await sales.listing({ priceCents: 100 });
    const other = await sales.listing({ priceCents: 100 });
    const headers = await x402.pay(x402.newPayer(), id, version, { parameters: '?a=1' });
    expect((await x402.query(id, headers, '?a=1')).status).toBe(200);
    expect((await x402.query(id, headers, '?a=2')).body.code).toBe('payment_used_elsewhere');
    expect((await x402.query(other.id, headers, '?a=1')).body.code).toBe('payment_used_elsewhere');
    const dearer = await sales.listing({ priceCents: 200 });
    const used = await x402.query(dearer.id, headers, '?a=1');
    // It was charged, if not by this request.
    expect([used.body.code, used.body.charged]).toEqual(['payment_used_elsewhere', undefined]);
    expect([await statuses(other.id), await statuses(dearer.id)]).toEqual([[], []]);
    market.clock.advance(25 * 3600 * SECONDS);
    const late = await x402.query(id, headers, '?a=1');
    expect([late.status, late.body.code]).toEqual([409, 'payment_spent']);
  });

  it('is checked against the inputSchema: texts become what it says, misfits are 400 and free', async () => {
    const properties = { n: { type: 'integer' }, deep: { type: 'boolean' }, tags: { type: 'array' } };
    const inputSchema = { type: 'object', properties, required: ['n'], additionalProperties: false };
    const { id } = await sales.listing({ inputSchema });
    const payer = x402.newPayer();
    for (const query of ['', '?n=x', '?n=1&other=2']) {
      const headers = await x402.pay(payer, id, version, { parameters: query });
      const { status, body } = await x402.query(id, headers, query);
      const code = query === '' ? 'query_required' : 'query_not_accepted';
      expect([status, body.code, body.charged], query).toEqual([400, code, false]);
    }
    const good = '?n=7&deep=true&tags=a&tags=b';
    const { status, body } = await x402.query(
      id,
      await x402.pay(payer, id, version, { parameters: good }),
      good,
    );
    expect([status, body.query]).toEqual([200, { n: 7, deep: true, tags: ['a', 'b'] }]);
  });

  const wrong: [string, string, Forgery | (() => Forgery)][] = [
    ['one unit short', VALUE(), { transfer: { units: 999_999n } }],
    ['one unit over', VALUE(), { transfer: { units: 1_000_001n } }],
    ['to somebody else', RECIPIENT(), { transfer: { to: `0x${'1'.repeat(40)}` } }],
    ['expired', `${AUTHORIZATION()}_valid_before`, () => ({ transfer: { validBefore: nowSeconds() - 1n } })],
    [
      'with no room for delivery',
      `${AUTHORIZATION()}_valid_before`,
      () => ({ transfer: { validBefore: nowSeconds() + 20n } }),
    ],
    [
      'not yet valid',
      `${AUTHORIZATION()}_valid_after`,
      () => ({ transfer: { validAfter: nowSeconds() + 60n } }),
    ],
    ['signed by another key', 'invalid_exact_evm_payload_signature', { signer: newAccount() }],
    [
      'on another network',
      'invalid_network',
      version === 1 ? { envelope: { network: 'base-sepolia' } } : { accepted: { network: 'eip155:84532' } },
    ],
    [
      'of another scheme',
      'invalid_scheme',
      version === 1 ? { envelope: { scheme: 'upto' } } : { accepted: { scheme: 'upto' } },
    ],
    ['of another version', 'invalid_x402_version', { envelope: { x402Version: 3 } }],
  ];
  clause('x402.insufficient', 'errors.402');
  it.each(wrong)('%s is 402 with the reason, and nothing happens', async (_, reason, forgery) => {
    const { id } = await sales.listing({ priceCents: 100, listingType: 'limited', maxCopies: 1 });
    const payer = x402.newPayer();
    const before = chain.balanceOf(payer.address);
    const forged = typeof forgery === 'function' ? forgery() : forgery;
    const answer = await x402.query(id, await x402.pay(payer, id, version, forged));
    expect([answer.status, answer.body.error], answer.text).toEqual([402, reason]);
    expect(answer.body.accepts).toHaveLength(1);
    expect(decodeHeader(answer, 'PAYMENT-REQUIRED').error).toBe(reason);
    if (reason !== 'invalid_scheme')
      expect(decodeHeader(answer, 'PAYMENT-RESPONSE')).toMatchObject({ success: false, errorReason: reason });
    expect([chain.balanceOf(payer.address), await statuses(id), await sales.sold(id)]).toEqual([
      before,
      [],
      0,
    ]);
  });

  clause('x402.insufficient');
  it('without funds is 402 insufficient_funds', async () => {
    const { id } = await sales.listing({ priceCents: 100 });
    const answer = await x402.query(id, await x402.pay(x402.newPayer(999_999n), id, version));
    expect([answer.status, answer.body.error]).toEqual([402, 'insufficient_funds']);
  });

  it.each([
    ['no base64', '%%%'],
    ['no JSON', btoa('{')],
    ['no object', btoa('[]')],
    ['the same key twice', btoa('{"x402Version":1,"x402Version":1}')],
    ['no UTF-8', btoa('{"a":"\xff"}')],
    ['nothing in it', base64Json({})],
    ['a number as text', base64Json({ x402Version: '1', scheme: 'exact', network: 'base', payload: {} })],
    [
      'wrong types',
      base64Json({ x402Version: 1, scheme: 'exact', network: 'base', payload: { signature: 1 } }),
    ],
    ['100 KB', 'A'.repeat(100_000)],
  ])('that cannot be read (%s) is 400', async (_, header) => {
    const { id } = await sales.listing();
    const name = version === 1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
    const { status, body } = await x402.query(id, { [name]: header });
    expect([status, body.code, body.charged]).toEqual([400, 'payment_malformed', false]);
  });

  it.each(['value', 'validAfter', 'validBefore'])('whose %s has more than 256 bits is 400', async (field) => {
    const { id } = await sales.listing({ priceCents: 100 });
    const sent = decodeSent(await x402.pay(x402.newPayer(), id, version));
    sent.payload.authorization[field] = String(1n << 256n);
    const name = version === 1 ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
    const { status, body } = await x402.query(id, { [name]: base64Json(sent) });
    expect([status, body.code, body.charged]).toEqual([400, 'payment_malformed', false]);
  });

  it.each([
    ['unavailable', () => replied('', 404), 502],
    ['broken', () => replied('<html>'), 502],
    ['slow', () => ({ kind: 'timed_out' }) as const, 504],
    ['wrong', () => replied({ data: { a: 1, __sha256: `sha256:${'0'.repeat(64)}` } }), 502],
  ])('is not charged when the seller is %s, and is still good afterwards', async (_, script, expected) => {
    const { id } = await sales.listing({ priceCents: 100, listingType: 'limited', maxCopies: 1 });
    const other = await sales.listing({ priceCents: 100 });
    const payer = x402.newPayer(1_000_000n);
    const headers = await x402.pay(payer, id, version);
    market.sellerEndpoint.script = script;
    const { status, body } = await x402.query(id, headers);
    expect([status, body.charged, await sales.sold(id)]).toEqual([expected, false, 0]);
    expect(chain.balanceOf(payer.address)).toBe(1_000_000n);
    market.sellerEndpoint.script = sellerOf({ answer: 43 });
    // Nothing was paid with it. In version 1 it may even be used for something else that costs the same; version 2
    // says what it is for.
    const elsewhere = await x402.query(other.id, headers);
    expect(version === 1 ? elsewhere.body.content : elsewhere.body.error).toEqual(
      version === 1 ? { answer: 43 } : 'invalid_challenge',
    );
    if (version === 2) expect((await x402.query(id, headers)).body.content).toEqual({ answer: 43 });
    expect(chain.balanceOf(payer.address)).toBe(0n);
  });
});

describe('what only version 2 says', () => {
  it('another asset in what was accepted is refused', async () => {
    const { id } = await sales.listing();
    const headers = await x402.pay(x402.newPayer(), id, 2, { accepted: { asset: `0x${'2'.repeat(40)}` } });
    expect((await x402.query(id, headers)).body.error).toBe('invalid_payment_requirements');
  });

  it('both headers at once are 400', async () => {
    const { id } = await sales.listing();
    const payer = x402.newPayer();
    const both = { ...(await x402.pay(payer, id, 1)), ...(await x402.pay(payer, id, 2)) };
    expect((await x402.query(id, both)).body.code).toBe('two_payments');
  });

  it('a payment id means the same payment: again the data, with another payment 409', async () => {
    const { id } = await sales.listing({ priceCents: 100 });
    const payer = x402.newPayer();
    const extensions = { 'payment-identifier': { info: { id: `pay_${crypto.randomUUID()}` } } };
    const headers = await x402.pay(payer, id, 2, { extensions });
    const first = await x402.query(id, headers);
    expect((await x402.query(id, headers)).body.id).toBe(first.body.id);
    const { status, body } = await x402.query(id, await x402.pay(payer, id, 2, { extensions }));
    expect([status, body.code]).toEqual([409, 'payment_identifier_reused']);
    expect(await sales.purchases(id)).toHaveLength(1);
    const bad = { 'payment-identifier': { info: { id: 'short' } } };
    expect((await x402.query(id, await x402.pay(payer, id, 2, { extensions: bad }))).status).toBe(400);
  });
});

describe('GET /x402/discovery/resources', () => {
  it('lists what can be paid for, with schemas and terms, in pages', async () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } } };
    const { id } = await sales.listing({ priceCents: 77, inputSchema });
    const free = await sales.listing({ priceCents: 0 });
    market.clock.advance(60 * SECONDS);
    const { status, body } = await x402.get('/x402/discovery/resources?limit=100');
    expect([status, body.x402Version, body.pagination.limit]).toEqual([200, 2, 100]);
    const item = body.items.find(
      ({ metadata }: { metadata: { listingId: string } }) => metadata.listingId === id,
    );
    expect(item).toMatchObject({
      resource: `http://localhost/api/x402/listings/${id}/query`,
      type: 'http',
      metadata: { inputSchema, title: 'Hourly weather' },
      accepts: [
        { amount: '770000', network: 'eip155:8453' },
        { maxAmountRequired: '770000', network: 'base' },
      ],
    });
    for (const terms of item.accepts)
      expect(PaymentRequirementsSchema.safeParse(terms).error).toBeUndefined();
    expect(JSON.stringify(body)).not.toContain(free.id);
    const { total } = body.pagination;
    const page = await x402.get(`/x402/discovery/resources?limit=1&offset=${total - 1}&x402Version=1`);
    expect([page.body.items.length, page.body.pagination.total, page.body.items[0].accepts.length]).toEqual([
      1,
      total,
      1,
    ]);
    expect(page.body.items[0].accepts[0].maxAmountRequired).toBeDefined();
  });
});

describe('the limit of requests', () => {
  clause('x402.rate', 'errors.429-x402');
  it('is a signed 429 with Retry-After, and says that it is no payment failure', async () => {
    const { id } = await sales.listing();
    const figures = { limit: 100, windowSeconds: 60 };
    const rates = {
      read: figures,
      write: figures,
      register: figures,
      purchase: figures,
      // By a measure of its own.
      x402: { ...figures, limit: 2 },
      inquiry: figures,
    };
    const limited = createQueryMarketplace({ rateLimiter: createWindowRateLimiter(rates, market.clock) });
    const answers = [await limited.query(id), await limited.query(id), await limited.query(id)];
    expect(answers.map(({ status }) => status)).toEqual([402, 402, 429]);
    const [, , last] = answers;
    expect(last?.body).toMatchObject({ code: 'rate_limited', charged: false, retryable: true });
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(last?.body.detail).toContain('not a payment failure');
  });
});

// Functions, so that tables above may use them before this line.
function AUTHORIZATION() {
  return 'invalid_exact_evm_payload_authorization';
}
function VALUE() {
  return `${AUTHORIZATION()}_value`;
}
function RECIPIENT() {
  return 'invalid_exact_evm_payload_recipient_mismatch';
}
