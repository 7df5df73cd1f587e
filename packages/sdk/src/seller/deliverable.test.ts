import { beforeEach, expect, test, vi } from 'vitest';
import { createSellerEndpoint, QueryRefused } from './index.ts';
import { createTestBuyer } from './test-buyer/index.ts';

const callbackUrl = 'https://seller.example/deliver';
const buyer = await createTestBuyer({ callbackUrl });
const onError = vi.fn<(error: unknown) => void>();
beforeEach(() => void onError.mockClear());

const sellerOf = (deliver: () => unknown, addSha256 = true) =>
  createSellerEndpoint({
    marketplace: buyer.keys,
    callbackUrl,
    deliver: deliver as () => null,
    onError,
    addSha256,
  });

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

test.each<[string, unknown, RegExp]>([
  [
    'nothing',
    undefined,
    /^deliver returned nothing \(is there a `return`\?\): return a JSON object, or null/,
  ],
  ['an array', [{ a: 1 }], /^deliver returned an array: put it into an object/],
  ['a text', '{"a":1}', /^deliver returned a string: return a JSON object/],
  ['a date', new Date(0), /^deliver returned a Date/],
  ['a map', new Map([['a', 1]]), /^deliver returned a Map/],
  ['a response', Response.json({ a: 1 }), /^deliver returned a Response/],
  [
    'a date inside',
    { at: new Date(0) },
    /^What deliver returned has something in it that is no JSON, such as a Date/,
  ],
  ['no number', { a: Number.NaN }, /infinite or NaN/],
  [
    'an integer beyond doubles',
    { rows: [1, Number('12345678901234567890')] },
    /no double holds exactly.* \(at \/data\/rows\/1\)/,
  ],
  ['half a character', { a: '\ud800' }, /not well-formed Unicode/],
  ['a deep nest', deep(64), /nested more than 63 deep/],
  ['too many values', { rows: Array(200_001).fill(0) }, /more than 200,000 values/],
  [
    'too many bytes',
    { text: 'a'.repeat(10 * 1024 * 1024) },
    /^deliver returned \d+ bytes, and 10485760 can be sold/,
  ],
])('%s is not sold, and the seller is told why', async (_, data, expected) => {
  expect(await buyer.buy(sellerOf(() => data))).toMatchObject({ verdict: 'failed', answer: { status: 500 } });
  const [[error] = []] = onError.mock.calls;
  expect((error as Error).message).toMatch(expected);
});

test('what is at the limits is sold, also without a digest', async () => {
  expect((await buyer.buy(sellerOf(() => ({ rows: Array(199_000).fill(0) })))).verdict).toBe('delivered');
  for (const data of [deep(63), { n: 2 ** 53 }]) {
    expect(await buyer.buy(sellerOf(() => data))).toMatchObject({ verdict: 'delivered', content: data });
    expect(await buyer.buy(sellerOf(() => data, false))).toMatchObject({
      verdict: 'delivered',
      content: data,
    });
  }
  expect(onError).not.toHaveBeenCalled();
});

test('a query that cannot be answered is refused without a failure', async () => {
  const seller = sellerOf(() => {
    throw new QueryRefused('there is no such city');
  });
  const { verdict, answer } = await buyer.buy(seller);
  expect({ verdict, ...answer }).toMatchObject({
    verdict: 'query_refused',
    status: 422,
    body: '{"error":"query_refused"}',
  });
  expect(onError).not.toHaveBeenCalled();
});

test('a delivery that took longer than the marketplace waits is told', async () => {
  let now = Date.now();
  const deliver = () => {
    now += 34_000;
    return { a: 1 };
  };
  const endpoint = createSellerEndpoint({
    marketplace: buyer.keys,
    callbackUrl,
    deliver,
    onError,
    now: () => now,
  });
  await buyer.buy(endpoint);
  expect(onError).toHaveBeenCalledExactlyOnceWith(
    new Error('deliver took 34.0 s, and the marketplace waits for 30.'),
  );
});
