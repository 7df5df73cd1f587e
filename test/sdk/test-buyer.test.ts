import { challengeEndpoint } from '@agent-marketplace/core/delivery/challenge-endpoint.ts';
import { deliver as askForData } from '@agent-marketplace/core/delivery/deliver.ts';
import { createTestBuyer, type TestReport } from '@agent-marketplace/sdk/seller/test-buyer';
import { afterAll, describe, expect, test } from 'vitest';
import { startSellerBench, WANTED } from './seller-bench.ts';

// A seller who tries its endpoint with the test buyer learns what the marketplace itself would send and say.

const { open, close, ports, serve, target, lastPost, callbackUrl } = await startSellerBench(() => ({ a: 1 }));
afterAll(close);
const marketplace = ports();
const buyer = await createTestBuyer({ callbackUrl, sellerId: 's-1' });
const purpose = { sellerId: 's-1', purchaseId: 'p-1', redelivery: 0 };

/** Names, and the values of what is the same in each message. */
const shapeOf = (headers: Headers) =>
  [...headers]
    .filter(([name]) => name.startsWith('x-mkt-') || ['accept', 'content-type', 'user-agent'].includes(name))
    .map(([name, value]) =>
      /time|sha256|signature$|key-id/.test(name) ? `${name}: ${value.length > 0}` : `${name}: ${value}`,
    );

describe('it asks as the marketplace does', () => {
  const membersOf = (body: string) => Object.keys(JSON.parse(body));
  const sentBy = async (ask: () => Promise<unknown>) => {
    open();
    await ask();
    const { headers, body } = lastPost();
    return { headers: shapeOf(headers), members: membersOf(body) };
  };

  test('for a purchase', async () => {
    const real = await sentBy(() => askForData(marketplace, WANTED, { ...target(), purpose }));
    expect(await sentBy(() => buyer.buy(callbackUrl, { purchaseId: 'p-1' }))).toEqual(real);
  });

  test('for a challenge', async () => {
    const real = await sentBy(() => challengeEndpoint(marketplace, target(), 'ab'.repeat(24)));
    expect(await sentBy(() => buyer.challenge(callbackUrl))).toEqual(real);
  });
});

describe('it judges as the marketplace does', () => {
  const json = (body: unknown, status = 200) => Response.json(body, { status });
  const answers: [string, () => Response, TestReport['verdict']][] = [
    ['data', () => json({ data: { a: 1 } }), 'delivered'],
    ['a wrong digest', () => json({ data: { a: 1, __sha256: `sha256:${'0'.repeat(64)}` } }), 'failed'],
    ['a digest that is no text', () => json({ data: { a: 1, __sha256: 1 } }), 'failed'],
    ['404', () => json({}, 404), 'unavailable'],
    ['available: false', () => json({ available: false }), 'unavailable'],
    ['no data', () => json({ a: 1 }), 'failed'],
    ['an array', () => json({ data: [] }), 'failed'],
    ['HTML', () => new Response('<p>404</p>'), 'failed'],
    ['a key twice', () => new Response('{"data":{"a":1,"a":2}}'), 'failed'],
    ['an integer beyond doubles', () => new Response('{"data":{"a":12345678901234567890}}'), 'failed'],
    ['bytes that are not UTF-8', () => new Response(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)), 'failed'],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: callbackUrl } }), 'failed'],
    ['201', () => json({ data: { a: 1 } }, 201), 'failed'],
    ...[400, 409, 422].map((status): [string, () => Response, 'query_refused'] => [
      String(status),
      () => json({}, status),
      'query_refused',
    ]),
    ...[401, 403, 405, 407, 408, 410, 415, 429, 500, 503].map(
      (status): [string, () => Response, 'failed'] => [String(status), () => json({}, status), 'failed'],
    ),
  ];
  const OUTCOMES: Record<string, TestReport['verdict']> = {
    delivered: 'delivered',
    unavailable: 'unavailable',
  };

  test.each(answers)('%s', async (_, answer, expected) => {
    serve(async () => answer());
    const real = await askForData(marketplace, WANTED, { ...target(), purpose });
    const verdict =
      real.kind === 'failed' && real.reason === 'query_refused' ? 'query_refused' : OUTCOMES[real.kind];
    expect(verdict ?? 'failed').toBe(expected);
    expect(await buyer.buy(callbackUrl)).toMatchObject({ verdict: expected });
  });
});
