import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  base64Json,
  createQueryMarketplace,
  decodeHeader,
  type PaymentHeaders,
} from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';

// A settled payment stands on chain, with its signature in the calldata: anyone can rebuild the header from it. What
// was paid for is the payer's all the same.

const x402 = createQueryMarketplace();
const { sales, market } = x402;
const PAYER = '198.51.100.7';
const STRANGER = '203.0.113.9';
const MINUTE_MS = 60_000;

let requestCount = 0;
beforeEach(() => {
  requestCount = 0;
  market.sellerEndpoint.script = (request) => {
    if (JSON.parse(request.body).type === 'delivery_request') requestCount += 1;
    return sellerOf({ answer: 42 })(request);
  };
});

const from = (network: string, headers: PaymentHeaders): PaymentHeaders => ({
  ...headers,
  'cf-connecting-ip': network,
});

/** What the chain shows of a payment, as a header of either version; `known` is what the stranger guesses. */
function copied(headers: PaymentHeaders, version: 1 | 2, known: object = {}): PaymentHeaders {
  const name = headers['X-PAYMENT'] ? 'X-PAYMENT' : 'PAYMENT-SIGNATURE';
  const { payload } = decodeHeader({ headers: new Headers(headers) }, name);
  if (version === 1)
    return { 'X-PAYMENT': base64Json({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload }) };
  const { chainId, address } = x402.chain.token;
  const accepted = {
    scheme: 'exact',
    network: `eip155:${chainId}`,
    amount: payload.authorization.value,
    asset: address,
    payTo: x402.chain.payTo,
    maxTimeoutSeconds: 60,
    ...known,
  };
  return { 'PAYMENT-SIGNATURE': base64Json({ x402Version: 2, accepted, payload }) };
}

describe.each([1, 2] as const)(
  'a payment of version %i, rebuilt from the chain by somebody else',
  (version) => {
    async function paid() {
      const { id } = await sales.listing({ priceCents: 500 });
      const headers = await x402.pay(x402.newPayer(), id, version);
      const first = await x402.query(id, from(PAYER, headers));
      expect([first.status, first.body.content]).toEqual([200, { answer: 42 }]);
      return { id, headers, first };
    }
    const FORMS = [
      ['version 1', (headers: PaymentHeaders) => copied(headers, 1)],
      ['version 2', (headers: PaymentHeaders) => copied(headers, 2)],
      [
        'version 2, with a challenge of another 402',
        (headers: PaymentHeaders) => copied(headers, 2, { extra: { challenge: 'f'.repeat(32) } }),
      ],
    ] as const;

    it.each(FORMS)(
      'as %s brings nothing, twenty times at once, and the seller is not asked',
      async (_, copy) => {
        const { id, headers } = await paid();
        const copies = await Promise.all(
          Array.from({ length: 20 }, () => x402.query(id, from(STRANGER, copy(headers)))),
        );
        for (const { status, text } of copies) {
          expect([status, text.includes('"answer"')]).toEqual([409, false]);
          expect(text).not.toContain('token=');
        }
        expect(requestCount).toBe(1);
        expect((await sales.purchases(id)).map(({ status }) => status)).toEqual(['held']);
      },
    );

    it('brings nothing either before it is settled', async () => {
      const { id } = await sales.listing({ priceCents: 500 });
      const headers = await x402.pay(x402.newPayer(), id, version);
      x402.chain.fault = ({ method }) => (method === 'settle' ? 'lose_reply' : undefined);
      expect((await x402.query(id, from(PAYER, headers))).status).toBe(503);
      await x402.heal();
      for (const [, copy] of FORMS)
        expect((await x402.query(id, from(STRANGER, copy(headers)))).status).toBe(409);
      expect((await x402.query(id, from(PAYER, headers))).body.content).toEqual({ answer: 42 });
    });

    it('brings the data again to its payer, who comes at once from where it was', async () => {
      const { id, headers, first } = await paid();
      const repeat = await x402.query(id, from(PAYER, headers));
      expect([repeat.status, repeat.body.id, repeat.body.content]).toEqual([
        200,
        first.body.id,
        { answer: 42 },
      ]);
    });

    it('and later, or from elsewhere, to whoever shows what is not on chain', async () => {
      const { id, headers, first } = await paid();
      market.clock.advance(10 * MINUTE_MS);
      const resumed = { ...headers, 'X-MKT-Resume': first.headers.get('X-MKT-Resume') ?? '' };
      expect((await x402.query(id, from(STRANGER, resumed))).body.content).toEqual({ answer: 42 });
      const bare = await x402.query(id, from(PAYER, headers));
      if (version === 2) expect(bare.body.content).toEqual({ answer: 42 });
      else expect([bare.status, bare.body.code]).toEqual([409, 'resume_token_required']);
      const guessed = { ...copied(headers, 1), 'X-MKT-Resume': 'f'.repeat(32) };
      expect((await x402.query(id, from(STRANGER, guessed))).status).toBe(409);
    });
  },
);

it('a challenge is in no terms twice, and is not handed to whoever settles', async () => {
  const { id } = await sales.listing({ priceCents: 500 });
  const challenges = new Set<string>();
  for (let n = 0; n < 20; n += 1)
    challenges.add(decodeHeader(await x402.query(id), 'PAYMENT-REQUIRED').accepts[0].extra.challenge);
  expect(challenges.size).toBe(20);
  const headers = await x402.pay(x402.newPayer(), id, 2);
  const { challenge } = decodeHeader({ headers: new Headers(headers) }, 'PAYMENT-SIGNATURE').accepted.extra;
  expect(challenge).toMatch(/^[0-9a-f]{32}\.\d+\.[0-9a-f]{64}$/);
  const settle = vi.spyOn(x402.chain, 'settle');
  expect((await x402.query(id, headers)).status).toBe(200);
  const [[, wire] = []] = settle.mock.calls;
  expect(JSON.stringify(wire)).toContain('"accepted"');
  expect(JSON.stringify(wire)).not.toContain(challenge);
});

describe('a challenge of version 2', () => {
  const paid = async (id: string, more = {}) =>
    x402.pay(x402.newPayer(), id, 2, { parameters: '?a=1', ...more });

  it.each([
    ['another listing', async (_: string, other: string) => [other, '?a=1']],
    ['another query', async (id: string) => [id, '?a=2']],
  ] as const)('is refused for %s, and nothing is charged', async (_, elsewhere) => {
    const { id } = await sales.listing({ priceCents: 500 });
    const other = await sales.listing({ priceCents: 500 });
    const headers = await paid(id);
    const [listingId, parameters] = await elsewhere(id, other.id);
    const before = market.sellerEndpoint.requests.length;
    const refused = await x402.query(listingId ?? '', headers, parameters);
    expect([refused.status, refused.body.error]).toEqual([402, 'invalid_challenge']);
    expect(market.sellerEndpoint.requests.length).toBe(before);
    expect((await x402.query(id, headers, '?a=1')).status).toBe(200);
  });

  it.each(['0'.repeat(32), `${'0'.repeat(32)}.99999999999999.${'0'.repeat(64)}`])(
    'that nobody gave is refused: %s',
    async (challenge) => {
      const { id } = await sales.listing({ priceCents: 500 });
      const headers = await paid(id, { accepted: { extra: { challenge } } });
      const refused = await x402.query(id, headers, '?a=1');
      expect([refused.status, refused.body.error]).toEqual([402, 'invalid_challenge']);
    },
  );

  it('ends; what was paid with it in time is still answered again', async () => {
    const { id } = await sales.listing({ priceCents: 500 });
    const inAnHour = BigInt(Math.floor(market.clock.now() / 1000) + 3600);
    const [late, timely] = [
      await paid(id, { transfer: { validBefore: inAnHour } }),
      await paid(id, { transfer: { validBefore: inAnHour } }),
    ];
    expect((await x402.query(id, timely, '?a=1')).status).toBe(200);
    market.clock.advance(16 * 60_000);
    const refused = await x402.query(id, late, '?a=1');
    expect([refused.status, refused.body.error]).toEqual([402, 'challenge_expired']);
    expect((await x402.query(id, timely, '?a=1')).status).toBe(200);
  });
});
