import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { afterEach, expect, it } from 'vitest';
import { createSigner } from '../adapters/keys/keyring.ts';
import { PLATFORM_LISTINGS, publishPlatformListings } from '../platform/index.ts';
import { newListingOf } from '../testing/fixtures/new-listing.ts';
import { newAgentOf } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { TEST_SIGNING_KEY } from '../testing/marketplace/test-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

// What an operation costs is counted here, not timed: the same on every machine.

/** Signs, and counts what it signs. */
function countingSigner() {
  const signer = createSigner(TEST_SIGNING_KEY);
  const counts = { digests: 0, bytes: 0 };
  const counting: Signer = {
    activeKey: () => signer.activeKey(),
    signDigest: (...args) => {
      counts.digests += 1;
      return signer.signDigest(...args);
    },
    signBytes: (...args) => {
      counts.bytes += 1;
      return signer.signBytes(...args);
    },
  };
  return { counting, counts };
}

const { counting, counts } = countingSigner();
const market = createTestMarketplace({ overrides: { signer: counting } });

afterEach(() => market.background.settled());

/** Counts one request: round trips to either database until the answer, and signatures. */
async function costOf(method: string, path: string, options: { apiKey?: string; body?: object } = {}) {
  await market.background.settled();
  market.market.reset();
  market.search.reset();
  Object.assign(counts, { digests: 0, bytes: 0 });
  const response = await market.request(method, path, options);
  const cost = {
    status: response.status,
    market: market.market.count,
    search: market.search.count,
    signatures: counts.digests,
  };
  await readSigned(response);
  return cost;
}

const ONE_SEARCH = { status: 200, market: 0, search: 1, signatures: 1 };
const ONE_READ = { status: 200, market: 1, search: 0, signatures: 1 };

it.each([
  '/marketplace/listings',
  '/marketplace/listings?q=data',
  '/marketplace/listings?q=data&category=data&price=free&sort=price_asc',
  '/verticals',
])('GET %s: one round trip to the search database, one signature', async (path) => {
  await newListingOf(market, { title: 'Data of ports', category: 'data' });
  expect(await costOf('GET', path)).toEqual(ONE_SEARCH);
});

it('a search that finds nothing tries what it suggests in one more', async () => {
  const path = '/marketplace/listings?q=data&category=data&min_rating=3';
  expect(await costOf('GET', path)).toEqual({ ...ONE_SEARCH, search: 2 });
});

it('an answer that is still fresh costs nothing, not even a signature', async () => {
  await market.request('GET', '/signing-key');
  expect(await costOf('GET', '/signing-key')).toEqual({ status: 200, market: 0, search: 0, signatures: 0 });
});

it('an answer that the caller has already is not signed', async () => {
  const { id } = await newListingOf(market);
  const path = `/marketplace/listings/${id}`;
  const tag = (await market.request('GET', path)).headers.get('etag') ?? '';
  market.market.reset();
  Object.assign(counts, { digests: 0 });
  const response = await market.request('GET', path, { headers: { 'if-none-match': tag } });
  expect([response.status, market.market.count, counts.digests]).toEqual([304, 1, 0]);
});

it('a listing: one round trip, one signature', async () => {
  const { id } = await newListingOf(market);
  expect(await costOf('GET', `/marketplace/listings/${id}`)).toEqual(ONE_READ);
});

it('a free purchase: read, commit; a receipt and the answer signed', async () => {
  await publishPlatformListings(market.newPorts());
  const listing = PLATFORM_LISTINGS.find(({ exampleQuery }) => exampleQuery !== null);
  const buyer = await newAgentOf(market);
  const cost = await costOf('POST', `/marketplace/listings/${listing?.id}/purchase`, {
    apiKey: buyer.apiKey,
    body: { query: listing?.exampleQuery },
  });
  expect(cost).toEqual({ status: 200, market: 2, search: 0, signatures: 2 });
});

it('a free purchase from a seller: the same, and one signature on the request to the seller', async () => {
  const { id } = await newListingOf(market);
  const buyer = await newAgentOf(market);
  const before: number[] = [];
  const { script } = market.sellerEndpoint;
  market.sellerEndpoint.script = (request) => {
    before.push(market.market.count);
    return script(request);
  };
  const cost = await costOf('POST', `/marketplace/listings/${id}/purchase`, {
    apiKey: buyer.apiKey,
    body: {},
  });
  expect(before).toEqual([1]);
  expect({ status: cost.status, signatures: cost.signatures }).toEqual({ status: 200, signatures: 2 });
});
