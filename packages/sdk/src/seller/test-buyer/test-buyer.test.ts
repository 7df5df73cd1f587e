import { expect, test } from 'vitest';
import { createSellerEndpoint, memoryAnswers } from '../index.ts';
import { createTestBuyer, describeReport } from './index.ts';

const callbackUrl = 'https://seller.example/deliver';
const buyer = await createTestBuyer({ callbackUrl, sellerId: 's-1', timeoutMs: 50 });

test('a report shows the request, the answer, the time and the verdict', async () => {
  let price = 0;
  const endpoint = createSellerEndpoint({
    marketplace: buyer.keys,
    callbackUrl,
    sellerId: 's-1',
    answers: memoryAnswers(),
    deliver: ({ query }) => {
      price += 1;
      return { of: query.city ?? null, price };
    },
  });
  expect(await buyer.challenge(endpoint)).toMatchObject({
    verdict: 'verified',
    explanation: expect.stringContaining('names its seller'),
  });
  const report = await buyer.buy(endpoint, { purchaseId: 'p-1', query: { city: 'Brest' } });
  expect(report).toMatchObject({ verdict: 'delivered', content: { of: 'Brest', price: 1 } });
  expect((await buyer.buy(endpoint, { purchaseId: 'p-1', redelivery: 1 })).content).toEqual(report.content);
  const text = describeReport(report);
  expect(text).toMatch(/^POST https:\/\/seller\.example\/deliver\n/);
  expect(text).toMatch(/\n {2}X-MKT-Purchase-Id: p-1\n/);
  expect(text).toMatch(
    /\nafter \d+ ms: HTTP 200 application\/json\n {2}\{"data":\{"__sha256":"sha256:[0-9a-f]{64}","of":"Brest","price":1/,
  );
  expect(text).toMatch(
    /\ndelivered: The buyer would be charged, and get the content; its __sha256 is right\.$/,
  );
  const long = { ...report, answer: { status: 200, contentType: null, body: 'a'.repeat(3000) } };
  expect(describeReport(long)).toContain('… (3000 characters)');
});

test('an endpoint that believes the marketplace believes no test buyer, and the other way round', async () => {
  const other = await createTestBuyer({ callbackUrl });
  const endpoint = createSellerEndpoint({
    marketplace: other.keys,
    callbackUrl,
    deliver: () => ({ a: 1 }),
    onRefusal: () => {},
  });
  expect(await buyer.buy(endpoint)).toMatchObject({
    verdict: 'failed',
    explanation: 'It answered HTTP 401 (bad_signature).',
  });
});

test.each<[string, () => Promise<Response>, string]>([
  ['hangs', () => new Promise(() => {}), 'There was no complete answer within 0.05 s.'],
  ['throws', () => Promise.reject(new Error('no such table')), 'There was no answer: no such table.'],
  [
    'never ends',
    async () =>
      new Response(new ReadableStream({ start: (controller) => controller.enqueue(Uint8Array.of(0x7b)) })),
    'There was no complete answer within 0.05 s.',
  ],
])('an endpoint that %s', async (_, endpoint, explanation) => {
  const report = await buyer.buy(endpoint);
  expect(report).toMatchObject({ verdict: 'failed', explanation, answer: null });
  expect(describeReport(report)).toMatch(/after \d+ ms: no answer\nfailed: /);
});

test('a server that is not there, and a challenge answered wrongly', async () => {
  expect(await buyer.buy('http://127.0.0.1:1/')).toMatchObject({
    verdict: 'failed',
    explanation: expect.stringContaining('no answer: '),
  });
  const said = async (body: object, status = 200) =>
    (await buyer.challenge(() => Response.json(body, { status }))).explanation;
  expect(await said({ nonce: 'other' })).toContain('no field `nonce` that equals');
  expect(await said({}, 500)).toBe('It answered HTTP 500, not 200.');
  const namesAnother = async (request: Request) =>
    Response.json({ nonce: ((await request.json()) as { nonce: string }).nonce, sellerId: 's-2' });
  expect((await buyer.challenge(namesAnother)).explanation).toContain('names another seller');
});
