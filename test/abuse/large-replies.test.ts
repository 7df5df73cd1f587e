import { AsyncLocalStorage } from 'node:async_hooks';
import { createSellerEndpoint } from '@agent-marketplace/core/adapters/fetch/seller-endpoint.ts';
import { sellerRelay } from '@agent-marketplace/core/compose/seller-relay.ts';
import type { Relay } from '@agent-marketplace/core/kernel/ports/seller-endpoint.ts';
import { createLocalSigner } from '@agent-marketplace/core/testing/doubles/local-signer.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';

// What a seller sends can end only its own request: the Workers that handle money read none of it.

const MB = 1024 * 1024;
/** A request of the money Workers may hold this much; what is read of it takes a millisecond or two. */
const SMALL = 64 * 1024;

/** How the seller answers a call; challenges are answered as they should be. */
let answer: (message: { method?: string; id?: number }) => BodyInit;

const inRelay = new AsyncLocalStorage<boolean>();
const isolated = sellerRelay(
  async (_, init) => {
    const { type, nonce, ...message } = JSON.parse(String(init?.body));
    return type === 'verification_challenge'
      ? Response.json({ nonce, sellerId: new Headers(init?.headers).get('X-MKT-Seller-Id') })
      : new Response(answer(message), { headers: { 'content-type': 'application/json' } });
  },
  async () => ['93.184.215.14'],
);
/** As behind a service binding: what goes in and comes out is copied. */
const relay: Relay = {
  post: async (request) =>
    structuredClone(await inRelay.run(true, () => isolated.post(structuredClone(request)))),
};
const x402 = createQueryMarketplace({
  sellerEndpoint: createSellerEndpoint({
    signer: createLocalSigner(),
    clock: { now: () => Date.now() },
    relay,
    allowLoopbackHttp: false,
  }),
});
const { sales, market } = x402;
afterEach(() => sales.audit());

/** The longest texts that were read, and bytes that were decoded, in the relay and outside of it. */
function countReading() {
  const longest = { relay: 0, money: 0 };
  const note = (size: number) => {
    const place = inRelay.getStore() ? 'relay' : 'money';
    longest[place] = Math.max(longest[place], size);
  };
  const { parse } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text, ...more) => {
    note(text.length);
    return parse(text, ...more);
  });
  const { decode } = TextDecoder.prototype;
  vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, bytes, options) {
    note(bytes?.byteLength ?? 0);
    return decode.call(this, bytes, options);
  });
  return longest;
}

/** A purchase whose answer is left unread. */
async function buyUnread(fields: object = {}) {
  const listing = await sales.listing({ priceCents: 0, ...fields });
  const longest = countReading();
  const { status } = await market.request('POST', `/marketplace/listings/${listing.id}/purchase`, {
    body: {},
  });
  vi.restoreAllMocks();
  return { status, longest };
}

const data = (json: string) => `{"data":{"a":${json}}}`;
const keys = (count: number, length: number) =>
  `{${Array.from({ length: count }, (_, n) => `"${String(n).padStart(length, 'k')}":0`).join()}}`;
const HOSTILE: readonly [string, string][] = [
  ['10 MB of {},', data(`[${'{},'.repeat((10 * MB) / 3 - 20)}{}]`)],
  ['a million keys', data(keys(1_000_000, 6))],
];

describe('a reply that is made to be dear to read', () => {
  it.each(HOSTILE)('%s is refused in the relay', async (_, text) => {
    answer = () => text;
    const { status, longest } = await buyUnread();
    expect(status).toBe(502);
    expect(longest.money).toBeLessThan(SMALL);
  });

  it('all keys and bytes that a delivery may have are read in the relay alone', async () => {
    answer = () => data(keys(199_000, 40));
    const { status, longest } = await buyUnread({
      outputSchema: { type: 'object', properties: { a: { type: 'object' } } },
    });
    expect(status).toBe(200);
    expect(longest.relay).toBeGreaterThan(8 * MB);
    expect(longest.money).toBeLessThan(SMALL);
  });
});
