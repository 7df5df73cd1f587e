import { beforeEach, expect, test, vi } from 'vitest';
import type { Refusal } from './refusals.ts';
import { createSellerEndpoint, type SellerEndpointOptions } from './seller-endpoint.ts';
import { createTestBuyer } from './test-buyer/index.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const callbackUrl = 'https://seller.example/deliver';
const registered = (url: string) => createTestBuyer({ callbackUrl: url, sellerId: 's-1', now: () => NOW });
const buyer = await registered(callbackUrl);

let sellerNow = NOW;
const onRefusal = vi.fn<(refusal: Refusal) => void>();
const onError = vi.fn();
beforeEach(() => {
  vi.clearAllMocks();
  sellerNow = NOW;
});

const open = (options: Partial<SellerEndpointOptions> = {}) =>
  createSellerEndpoint({
    marketplace: buyer.keys,
    callbackUrl,
    sellerId: 's-1',
    deliver: () => ({ a: 1 }),
    now: () => sellerNow,
    onRefusal,
    onError,
    ...options,
  });
/** How the kit explains to the seller that it refused the buyer's request, as that is changed on its way. */
async function explanationOf(
  options: Partial<SellerEndpointOptions> = {},
  { by = buyer, arriving = (request: Request): Request | Promise<Request> => request } = {},
): Promise<string> {
  const endpoint = open(options);
  await by.buy(async (request) => endpoint(await arriving(request)));
  expect(onError).not.toHaveBeenCalled();
  expect(onRefusal).toHaveBeenCalledOnce();
  const [[{ code, status, explanation }] = [{} as Refusal]] = onRefusal.mock.calls;
  return `${status} ${code}: ${explanation}`;
}
/** The same request with other headers, or at another place. */
const withHeaders = (request: Request, headers: Record<string, string>, url = request.url) => {
  const changed = new Headers(request.headers);
  for (const [name, value] of Object.entries(headers)) {
    if (value === '') changed.delete(name);
    else changed.set(name, value);
  }
  return new Request(url, {
    method: 'POST',
    headers: changed,
    body: request.body,
    duplex: 'half',
  } as RequestInit);
};

test.each([
  [425_000, '7 min 5 s ahead', 'if it is right, somebody sent an old message again'],
  [-3_900_000, '1 h 5 min behind', 'Set it, with NTP for example.'],
  [400 * 86_400_000, '400 days ahead', '300 s are allowed'],
])('a clock that is %i ms ahead', async (aheadMs, difference, advice) => {
  sellerNow += aheadMs;
  const explanation = await explanationOf();
  expect(explanation).toMatch(
    /^401 stale: The marketplace signed this at 2026-06-01T12:00:00\.\d{3}Z, and the clock/,
  );
  expect(explanation).toContain(`it is ${difference}`);
  expect(explanation).toContain(advice);
});

test('of a message that nobody signed, no clock is blamed', async () => {
  sellerNow += 425_000;
  const arriving = (request: Request) => withHeaders(request, { 'x-mkt-signature': 'A'.repeat(86) });
  expect(await explanationOf({}, { arriving })).toMatch(
    /7 min 5 s apart, and its signature is not the marketplace's/,
  );
});

const proxied = { host: 'seller.example', 'x-forwarded-proto': 'https' };
test.each<[string, string, string, Record<string, string>]>([
  ['a slash at the end', 'https://seller.example/deliver/', 'http://localhost/deliver/', {}],
  ['http for https', 'http://seller.example/deliver', 'http://localhost/deliver', {}],
  ['the address inside a proxy', 'https://shop.example/in', 'http://localhost/in', { host: 'shop.example' }],
  [
    'a proxy that renames',
    'https://shop.example/deliver',
    'http://10.0.0.7:8080/deliver',
    { 'x-forwarded-host': 'shop.example' },
  ],
  ['a query', 'https://seller.example/deliver?a=1', 'http://localhost/deliver?a=1', proxied],
  ['no path', 'https://seller.example', 'http://localhost/', proxied],
])('a wrong URL in the signature: %s', async (_, url, seenAs, headers) => {
  const by = await registered(url);
  const arriving = (request: Request) => withHeaders(request, headers, seenAs);
  const explanation = await explanationOf({ marketplace: by.keys }, { by, arriving });
  expect(explanation).toContain(
    `401 bad_signature: The marketplace signed this for ${url}, and callbackUrl is ${callbackUrl}.`,
  );
  expect(explanation).toContain('If that URL is not yours');
});

test('localhost by its other name', async () => {
  const by = await registered('http://localhost:9000/deliver');
  const explanation = await explanationOf(
    { marketplace: by.keys, callbackUrl: 'http://127.0.0.1:9000/deliver' },
    { by },
  );
  expect(explanation).toContain('signed this for http://localhost:9000/deliver');
});

test('a URL that nothing hints at, and headers that try to be one', async () => {
  const by = await registered('https://elsewhere.example/x');
  const arriving = (request: Request) =>
    withHeaders(request, { host: 'a b', 'x-forwarded-host': 'a/b\u009b31m' }, 'http://localhost/y');
  const explanation = await explanationOf({ marketplace: by.keys }, { by, arriving });
  expect(explanation).toMatch(
    /^401 bad_signature: The signature does not hold for the callbackUrl https:\/\/seller/,
  );
  expect(explanation).toContain('`endpoint` in GET /sell/me has it');
});

test("a key that is not the marketplace's", async () => {
  const { keys } = await registered(callbackUrl);
  const renamed = { keys: keys.keys, get: () => undefined };
  expect(await explanationOf({ marketplace: renamed })).toMatch(
    /^401 unknown_key: It names the key test-buyer, which the/,
  );
});

test('a key id is a text of strangers', async () => {
  const arriving = (request: Request) => withHeaders(request, { 'x-mkt-key-id': '\u009b31mred' });
  expect(await explanationOf({}, { arriving })).toContain('names the key (not readable)');
});

test('a marketplace that is not where it should be', async () => {
  const refusing = () =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
  const explanation = await explanationOf({ marketplace: 'https://market.example', fetch: refusing });
  expect(explanation).toContain('503 keys_unavailable: ');
  expect(explanation).toContain(
    'from https://market.example/signing-key: fetch failed: connect ECONNREFUSED.',
  );
  onRefusal.mockClear();
  const missing = async () => new Response('', { status: 404 });
  expect(await explanationOf({ marketplace: 'https://market.example', fetch: missing })).toContain(
    'HTTP 404',
  );
});

test.each<[string, (request: Request) => Request | Promise<Request>, RegExp]>([
  [
    'has no headers',
    (request) => withHeaders(request, { 'x-mkt-signature': '', 'x-mkt-key-id': '' }),
    /^401 not_signed: It has no X-MKT-Key-Id, X-MKT-Signature\. .* proxy/,
  ],
  [
    'is malformed',
    (request) => withHeaders(request, { 'x-mkt-timestamp': 'now' }),
    /^401 not_signed: Its signature headers are malformed/,
  ],
  [
    'was rewritten',
    async (request) =>
      new Request(request.url, {
        method: 'POST',
        headers: request.headers,
        body: `${await request.text()} `,
      }),
    /^401 body_mismatch: The \d+ bytes are not/,
  ],
  [
    'lost its body',
    (request) =>
      new Request(request.url, { method: 'POST', headers: [...request.headers, ['content-length', '99']] }),
    /^401 body_mismatch: 0 bytes of 99 arrived/,
  ],
  [
    'was read before',
    async (request) => {
      await request.text();
      return request;
    },
    /^500 body_already_read: .*express\.json/,
  ],
  [
    'became a GET',
    (request) => new Request(request.url, { headers: request.headers }),
    /^405 method_not_allowed: .*this was GET/,
  ],
])('a request that %s', async (_, arriving, expected) => {
  expect(await explanationOf({}, { arriving })).toMatch(expected);
});

test('another seller, and a message of a new type', async () => {
  expect(await explanationOf({ sellerId: 's-2' })).toMatch(
    /^403 other_seller: .*for the seller s-1, and `sellerId` is s-2/,
  );
});

test('each kind is explained once a minute, whatever strangers send, and always answered', async () => {
  const endpoint = open();
  const unsigned = async () =>
    (await endpoint(new Request(callbackUrl, { method: 'POST', body: '{}' }))).status;
  expect([await unsigned(), await unsigned(), await unsigned()]).toEqual([401, 401, 401]);
  await endpoint(new Request(callbackUrl));
  expect(onRefusal.mock.calls.map(([{ code }]) => code)).toEqual(['not_signed', 'method_not_allowed']);
  sellerNow += 60_000;
  await unsigned();
  expect(onRefusal).toHaveBeenCalledTimes(3);
});

test('a log that fails costs nothing, and by default there is one line', async () => {
  const endpoint = open({
    onRefusal: () => {
      throw new Error('disk full');
    },
  });
  expect((await endpoint(new Request(callbackUrl))).status).toBe(405);
  expect(onError).toHaveBeenCalledOnce();

  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const { onRefusal: _left, ...plain } = {
    marketplace: buyer.keys,
    callbackUrl,
    deliver: () => null,
    onRefusal,
  };
  await createSellerEndpoint(plain)(new Request(callbackUrl));
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^The seller endpoint answered 405 method_not_allowed\. [^\n]*$/),
  );
});
