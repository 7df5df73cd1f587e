import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { createPaidTool } from '../../testing/fixtures/paid-tool.ts';
import { createMcpFace } from '../../testing/marketplace/mcp-face.ts';
import {
  createQueryMarketplace,
  decodeHeader,
  type Forgery,
} from '../../testing/marketplace/query-marketplace.ts';
import { META, X402_META } from './names.ts';

const x402 = createQueryMarketplace();
const { sales, market, chain } = x402;
const tool = createPaidTool(x402);

afterEach(async () => {
  tool.state.loss = undefined;
  await x402.heal();
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  await sales.audit();
});
market.sellerEndpoint.script = sellerOf({ answer: 42 });

const query = { city: 'Brest', days: 3 };
const UNITS = 2_500_000n;

async function newChance() {
  const { id } = await sales.listing({ priceCents: 250 });
  const payer = x402.newPayer(UNITS);
  const payment = async (forged: Forgery = {}) =>
    tool.paymentOf(await x402.pay(payer, id, 2, { parameters: query, ...forged }));
  const call = (paid?: unknown, more: object = {}) => tool.call({ listing_id: id, query, ...more }, paid);
  const expectUnsold = async () =>
    expect([chain.balanceOf(payer.address), await sales.purchases(id)]).toEqual([UNITS, []]);
  return { id, payer, payment, call, expectUnsold };
}

describe('a call without a payment', () => {
  it('is answered with exactly the terms of the header, and the provenance in _meta alone', async () => {
    const { call } = await newChance();
    const { isError, structuredContent, content, _meta } = await call();
    if (tool.state.asked === null) throw new Error('The Worker of paid queries was not called.');
    const terms = decodeHeader(tool.state.asked, 'PAYMENT-REQUIRED');
    expect([isError, structuredContent]).toEqual([true, terms]);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(terms) }]);
    expect(Object.keys(_meta)).toEqual([META.provenance]);
  });

  it('of a free listing is answered at once', async () => {
    const { id } = await sales.listing({ priceCents: 0 });
    const { isError, structuredContent } = await tool.call({ listing_id: id, query });
    expect([isError, structuredContent.content]).toEqual([undefined, { answer: 42 }]);
  });
});

describe('a call with a payment', () => {
  it('brings the data and what was settled; the same call again brings them again', async () => {
    const { payer, payment, call } = await newChance();
    const paid = await payment();
    const first = await call(paid);
    expect([first.isError, first.structuredContent.content]).toEqual([undefined, { answer: 42 }]);
    expect(first.content[0]?.text).toContain('content: {"answer":42}');
    const { transaction } = first.structuredContent.payment as { transaction: string };
    expect(first._meta[X402_META.paymentResponse]).toEqual({
      success: true,
      extensions: {
        'offer-receipt': {
          info: { receipt: { format: 'jws', signature: expect.any(String) } },
          schema: expect.any(Object),
        },
      },
      transaction,
      network: 'eip155:8453',
      payer: payer.address.toLowerCase(),
      amount: String(UNITS),
    });
    market.clock.advance(60 * 60_000);
    const again = await call(paid);
    expect(again.structuredContent.id).toBe(first.structuredContent.id);
    expect(chain.balanceOf(payer.address)).toBe(0n);
  });

  it('is an own purchase of whoever sends a key', async () => {
    const { id, payment } = await newChance();
    const buyer = await sales.newAgent();
    const paid = await payment();
    await tool.call({ listing_id: id, query, api_key: buyer.apiKey }, paid);
    const { body } = await x402.get('/purchases', { 'x-api-key': buyer.apiKey });
    expect(body.purchases).toHaveLength(1);
  });

  it('that is refused is told why, with fresh terms and the failed settlement', async () => {
    const { payment, call, expectUnsold } = await newChance();
    const { isError, structuredContent, _meta } = await call(
      await payment({ signer: x402.newPayer(), transfer: {} }),
    );
    const error = 'invalid_exact_evm_payload_signature';
    expect([isError, structuredContent]).toMatchObject([true, { x402Version: 2, error }]);
    expect(_meta[X402_META.paymentResponse]).toMatchObject({ success: false, errorReason: error });
    await expectUnsold();
  });

  it('that may be settled is a problem, and no fresh offer', async () => {
    const { payer, payment, call } = await newChance();
    const paid = await payment();
    chain.fault = ({ method }) => (method === 'settle' ? 'lose_reply' : undefined);
    const { isError, structuredContent, _meta } = await call(paid);
    expect([isError, structuredContent]).toMatchObject([
      true,
      { code: 'settlement_pending', charged: true, status: 503 },
    ]);
    expect(Object.keys(structuredContent)).not.toContain('accepts');
    expect(_meta[META.retryAfterSeconds]).toBe(5);
    await x402.heal();
    expect((await call(paid)).structuredContent.content).toEqual({ answer: 42 });
    expect(chain.balanceOf(payer.address)).toBe(0n);
  });

  it.each(['lose_request', 'lose_reply'] as const)(
    'whose Worker does not answer (%s) is not called unpaid, and is charged once when it is sent again',
    async (loss) => {
      const { id, payer, payment, call } = await newChance();
      const paid = await payment();
      tool.state.loss = loss;
      const { isError, structuredContent } = await call(paid);
      expect([isError, structuredContent.code, 'charged' in structuredContent]).toEqual([
        true,
        'service_unavailable',
        false,
      ]);
      tool.state.loss = undefined;
      expect((await call(paid)).structuredContent.content).toEqual({ answer: 42 });
      expect([chain.balanceOf(payer.address), (await sales.purchases(id)).length]).toEqual([0n, 1]);
    },
  );

  it('and a listing that is above the most it may cost is not settled', async () => {
    const { payment, call, expectUnsold } = await newChance();
    const { structuredContent } = await call(await payment(), { max_price_cents: 249 });
    expect([structuredContent.code, structuredContent.charged]).toEqual(['price_above_max', false]);
    await expectUnsold();
  });
});

describe('bad input', () => {
  it.each([
    ['a text', 'x'.repeat(50)],
    ['a number', 7],
    ['a list', []],
    ['no payload', { x402Version: 2 }],
    ['more than 16 KiB', { x402Version: 2, payload: { note: 'x'.repeat(17_000) } }],
  ])('a payment that is %s', async (_, payment) => {
    const { call, expectUnsold } = await newChance();
    const { structuredContent } = await call(payment);
    expect([structuredContent.code, structuredContent.charged]).toEqual(['payment_malformed', false]);
    expect(`${structuredContent.title} ${structuredContent.detail}`).not.toContain('header');
    await expectUnsold();
  });

  it('two payments in one call, one of them in a header', async () => {
    const { id, payment, expectUnsold } = await newChance();
    const other = await x402.pay(x402.newPayer(), id, 2, { parameters: query });
    const { structuredContent } = await tool.call({ listing_id: id, query }, await payment(), other);
    expect([structuredContent.code, structuredContent.charged]).toEqual(['two_payments', undefined]);
    await expectUnsold();
  });

  it('a challenge of another listing, an edited and an expired one', async () => {
    const { id, payment, call, expectUnsold } = await newChance();
    const other = await sales.listing({ priceCents: 250 });
    const paid = await payment();
    const elsewhere = await tool.call({ listing_id: other.id, query }, paid);
    expect(elsewhere.structuredContent.error).toBe('invalid_challenge');
    const edited = JSON.parse(JSON.stringify(paid).replace(/"challenge":"./, '"challenge":"z'));
    expect((await call(edited)).structuredContent.error).toBe('invalid_challenge');
    const another = await tool.call({ listing_id: id, query: { city: 'Ghent' } }, paid);
    expect(another.structuredContent.error).toBe('invalid_challenge');
    const late = await payment({ transfer: { validBefore: 2n ** 40n } });
    market.clock.advance(16 * 60_000);
    expect((await call(late)).structuredContent.error).toBe('challenge_expired');
    await expectUnsold();
  });

  it('arguments that a paid query has not are named, and those of a tool are the names in problems', async () => {
    const { call, expectUnsold } = await newChance();
    const { structuredContent, content } = await call(undefined, { email: 'a@example.com' });
    expect(structuredContent).toMatchObject({ code: 'validation_failed', errors: [{ path: 'email' }] });
    expect(content[0]?.text).toContain('email');
    await expectUnsold();
  });

  it('no listing is refused as in every other call', async () => {
    const { structuredContent } = await tool.call({ query });
    expect(structuredContent).toMatchObject({ code: 'validation_failed', errors: [{ path: 'listing_id' }] });
  });

  it('where no Worker takes payments, and over REST, it is said where to send the query', async () => {
    const { id, expectUnsold } = await newChance();
    const face = createMcpFace(market);
    const args = { listing_id: id, query, payment_method: 'usdc' };
    const { structuredContent } = await face.callTool('buy_data', args);
    const { body } = await sales.request('POST', `/marketplace/listings/${id}/purchase`, null, {
      query,
      payment_method: 'usdc',
    });
    for (const problem of [structuredContent, body as { code?: unknown; charged?: unknown }])
      expect([problem.code, problem.charged]).toEqual(['usdc_per_query', false]);
    await expectUnsold();
  });
});

describe('one transfer, in whichever protocol it comes again', () => {
  it('is charged once: the tool answers what was paid over HTTP, and the other way round', async () => {
    for (const isToolFirst of [true, false]) {
      const { id, payer } = await newChance();
      const headers = await x402.pay(payer, id, 2, { parameters: query });
      const ways = [() => tool.query(id, headers, query), () => x402.query(id, headers, query)];
      const [one, other] = isToolFirst ? ways : ways.reverse();
      const [first, again] = [await one?.(), await other?.()];
      expect([first?.status, again?.status, again?.body.id]).toEqual([200, 200, first?.body.id]);
      expect(chain.balanceOf(payer.address)).toBe(0n);
    }
  });

  it('is refused without a second charge where MPP paid, and says whose move it is', async () => {
    const { id, payer, call } = await newChance();
    const headers = await x402.pay(payer, id, 'mpp', { parameters: query });
    expect((await x402.query(id, headers, query)).status).toBe(200);
    const { payload } = JSON.parse(
      atob((headers.authorization ?? '').slice('Payment '.length).replaceAll('-', '+').replaceAll('_', '/')),
    );
    const { signature, type: _, ...authorization } = payload;
    const copied = tool.paymentOf(
      await x402.pay(payer, id, 2, {
        parameters: query,
        envelope: { payload: { signature, authorization } },
      }),
    );
    const { isError, structuredContent } = await call(copied);
    expect([isError, structuredContent.code, structuredContent.status]).toEqual([
      true,
      'payment_used_elsewhere',
      409,
    ]);
    expect(await sales.purchases(id)).toHaveLength(1);
  });
});
