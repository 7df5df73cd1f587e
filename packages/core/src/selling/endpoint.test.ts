import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { createSellerEndpoint } from '../adapters/fetch/seller-endpoint.ts';
import { createSigner } from '../adapters/keys/keyring.ts';
import { claimLinkFor, registerAgent } from '../agents/index.ts';
import { sellerRelay } from '../compose/seller-relay.ts';
import { findEndpoint } from '../delivery/index.ts';
import { DAY_MS } from '../kernel/time.ts';
import { FakeClock } from '../testing/doubles/fake-clock.ts';
import { createFakePollingMailbox } from '../testing/doubles/fake-polling-mailbox.ts';
import { replied, type ScriptedReply, sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import {
  addPendingListing,
  newAgentOf,
  newSellerOf,
  type RegisteredAgent,
} from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { TEST_SIGNING_KEY } from '../testing/marketplace/test-bindings.ts';
import {
  createTestMarketplace,
  TEST_BASE_URL,
  type TestMarketplace,
} from '../testing/marketplace/workers-harness.ts';
import {
  answerDelivery,
  claimEndpoint,
  getClaim,
  listDeliveries,
  registerSeller,
  setDeliveryEndpoint,
} from './index.ts';

const operations = [
  registerAgent,
  registerSeller,
  setDeliveryEndpoint,
  getClaim,
  claimEndpoint,
  listDeliveries,
  answerDelivery,
];
const URL_OF_SELLER = 'https://seller.example.org/deliver?x=1';

/** As deployed: sellers' endpoints are public ones. */
function createMarket(overrides = {}) {
  return createTestMarketplace({ operations, overrides, settings: { sellerEndpoints: 'public' } });
}
const market = createMarket();

/** An endpoint is one seller's: each test begins with none. */
beforeEach(() => market.market.d1.prepare('DELETE FROM delivery_endpoints').run());

async function post(path: string, body: Record<string, unknown>, options = {}, place = market) {
  const response = await place.request('POST', path, { body, ...options });
  return { status: response.status, ...(await readSigned(response)) };
}

const callback = (
  seller: { apiKey: string },
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
  place = market,
) => post('/sell/callback', body, { apiKey: seller.apiKey, headers }, place);

async function statusOf(listingId: string) {
  const { results } = await market.market.d1
    .prepare('SELECT status FROM listings WHERE id = ?')
    .bind(listingId)
    .all();
  return results[0]?.status;
}

const endpointOf = (agent: RegisteredAgent) => findEndpoint(market.newPorts().market, agent.id);

describe('an endpoint that answers the challenge', () => {
  it('is kept, and brings pending listings to life', async () => {
    const seller = await newSellerOf(market);
    const stranger = await newSellerOf(market);
    const free = await addPendingListing(market, seller.id);
    const priced = await addPendingListing(market, seller.id, { priceCents: 100 });
    const inactive = await addPendingListing(market, seller.id, { status: 'inactive' });
    const foreign = await addPendingListing(market, stranger.id);

    const { status, body } = await callback(seller, { callbackUrl: URL_OF_SELLER });
    expect(status).toBe(200);
    expect(body).toEqual({
      activatedListings: [free],
      callbackType: 'webhook',
      callbackUrl: URL_OF_SELLER,
      verified: true,
      verifiedAt: new Date(market.clock.now()).toISOString(),
    });
    expect(await endpointOf(seller)).toEqual({
      sellerId: seller.id,
      callbackUrl: URL_OF_SELLER,
      callbackType: 'webhook',
      verifiedAt: body.verifiedAt,
      // If no buyer asks it for a week, the marketplace does.
      probeAt: new Date(market.clock.now() + 7 * DAY_MS).toISOString(),
      silentSince: null,
      unreachableSince: null,
    });
    const statuses = await Promise.all([free, priced, inactive, foreign].map(statusOf));
    expect(statuses).toEqual(['active', 'pending', 'inactive', 'pending']);

    const sent = market.sellerEndpoint.requests.at(-1);
    expect(sent).toMatchObject({ url: URL_OF_SELLER, timeoutMs: 15_000, maxBytes: 64 * 1024 });
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({
      type: 'verification_challenge',
      nonce: expect.stringMatching(/^[0-9a-f]{48}$/),
      instructions: expect.any(String),
    });
  });

  clause('endpoint-states.fresh-nonce');
  it('is sent a fresh nonce each time, and takes the place of the last one', async () => {
    const seller = await newSellerOf(market);
    await callback(seller, { callbackUrl: URL_OF_SELLER });
    await callback(seller, { callbackUrl: `${URL_OF_SELLER}&y=2` });
    const nonces = market.sellerEndpoint.requests.slice(-2).map(({ body }) => JSON.parse(body).nonce);
    expect(nonces[0]).not.toBe(nonces[1]);
    expect((await endpointOf(seller))?.callbackUrl).toBe(`${URL_OF_SELLER}&y=2`);
  });

  it('makes an agent a seller', async () => {
    const agent = await newAgentOf(market);
    expect((await callback(agent, { callbackUrl: URL_OF_SELLER })).status).toBe(200);
    const list = await market.request('GET', '/sell/deliveries', { apiKey: agent.apiKey });
    expect(list.status).toBe(200);
  });

  it('gives the same answer to the same Idempotency-Key, without another challenge', async () => {
    const seller = await newSellerOf(market);
    await addPendingListing(market, seller.id);
    const headers = { 'idempotency-key': 'endpoint-1' };
    const first = await callback(seller, { callbackUrl: URL_OF_SELLER }, headers);
    expect(first.body.activatedListings).toHaveLength(1);
    const asked = market.sellerEndpoint.requests.length;
    expect((await callback(seller, { callbackUrl: URL_OF_SELLER }, headers)).body).toEqual(first.body);
    expect(market.sellerEndpoint.requests).toHaveLength(asked);
  });

  it('is verified even while the search index is down', async () => {
    const seller = await newSellerOf(market);
    const id = await addPendingListing(market, seller.id);
    market.search.fault = () => 'lose_request';
    const { status, body } = await callback(seller, { callbackUrl: URL_OF_SELLER });
    market.search.fault = () => undefined;
    expect([status, body.activatedListings]).toEqual([200, [id]]);
    expect(market.log.lines.map(({ event }) => event)).toContain('search_refresh_failed');
  });
});

describe('an endpoint that another seller has verified', () => {
  /** A server that was not told of its seller. */
  beforeEach(() => {
    market.sellerEndpoint.script = ({ body }) => replied({ nonce: JSON.parse(body).nonce });
  });
  afterEach(() => {
    market.sellerEndpoint.script = sellerOf({});
  });

  it.each([URL_OF_SELLER, 'HTTPS://Seller.example.org:443/x/../%64eliver?x=2'])(
    'is refused however it is written: %s',
    async (callbackUrl) => {
      const [owner, other] = [await newSellerOf(market), await newSellerOf(market)];
      const listing = await addPendingListing(market, other.id);
      expect((await callback(owner, { callbackUrl: URL_OF_SELLER })).status).toBe(200);
      const { status, body } = await callback(other, { callbackUrl });
      expect([status, body.code]).toEqual([409, 'endpoint_taken']);
      expect([await endpointOf(other), await statusOf(listing)]).toEqual([null, 'pending']);
    },
  );

  it('is verified anew by its own seller, and another path of the host by anybody', async () => {
    const sellers = [await newSellerOf(market), await newSellerOf(market), await newSellerOf(market)];
    const urls = [URL_OF_SELLER, 'https://seller.example.org/second', 'https://seller.example.org/third'];
    for (const round of [1, 2]) {
      for (const [n, seller] of sellers.entries())
        expect((await callback(seller, { callbackUrl: urls[n] })).status, `${round} ${urls[n]}`).toBe(200);
    }
  });

  it('is free again when that seller moves', async () => {
    const [owner, other] = [await newSellerOf(market), await newSellerOf(market)];
    await callback(owner, { callbackUrl: URL_OF_SELLER });
    await callback(owner, { callbackUrl: 'https://elsewhere.example.org/' });
    expect((await callback(other, { callbackUrl: URL_OF_SELLER })).status).toBe(200);
  });

  it('goes to one of those who verify it at the same time', async () => {
    const sellers = await Promise.all([1, 2, 3, 4].map(() => newSellerOf(market)));
    const answers = await Promise.all(sellers.map((one) => callback(one, { callbackUrl: URL_OF_SELLER })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const kept = await Promise.all(sellers.map(endpointOf));
    expect(kept.filter((one) => one !== null)).toHaveLength(1);
  });

  it('is told for whom a challenge is', async () => {
    const seller = await newSellerOf(market);
    for (const callbackType of ['webhook', 'mcp']) {
      await callback(seller, { callbackUrl: URL_OF_SELLER, callbackType });
      expect(market.sellerEndpoint.requests.at(-1)?.headers).toMatchObject({ 'X-MKT-Seller-Id': seller.id });
    }
  });
});

describe('an endpoint that fails the challenge', () => {
  const badReplies: [string, () => ScriptedReply, number, string][] = [
    ['repeats another nonce', () => replied({ nonce: 'ab'.repeat(24) }), 502, 'endpoint_not_verified'],
    ['sends no nonce', () => replied({ ok: true, note: 'SECRET' }), 502, 'endpoint_not_verified'],
    ['sends no JSON', () => replied('SECRET <html>'), 502, 'endpoint_not_verified'],
    ['answers 404', () => replied('', 404), 502, 'endpoint_not_verified'],
    ['answers 500', () => replied('', 500), 502, 'endpoint_not_verified'],
    ['redirects', () => ({ kind: 'redirected', status: 302 }), 502, 'endpoint_not_verified'],
    ['cannot be reached', () => ({ kind: 'unreachable' }), 502, 'endpoint_not_verified'],
    ['sends too much', () => replied(`{"x":"${'x'.repeat(65_536)}"}`), 502, 'endpoint_not_verified'],
    ['stalls', () => ({ kind: 'timed_out' }), 504, 'endpoint_timed_out'],
  ];

  it.each(badReplies)('because it %s leaves nothing behind', async (_, reply, status, code) => {
    const place = createMarket();
    place.sellerEndpoint.script = reply;
    const agent = await newAgentOf(place);
    const refused = await callback(agent, { callbackUrl: URL_OF_SELLER }, {}, place);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(refused.body.detail).toMatch(/\.$/);
    expect(refused.text).not.toContain('SECRET');
    expect(await endpointOf(agent)).toBeNull();
    const sellers = await market.market.d1
      .prepare('SELECT * FROM sellers WHERE agent_id = ?')
      .bind(agent.id)
      .all();
    expect(sellers.results).toEqual([]);
  });

  it('leaves the verified one and the pending listings as they were', async () => {
    const place = createMarket();
    const seller = await newSellerOf(place);
    await callback(seller, { callbackUrl: URL_OF_SELLER }, {}, place);
    const before = await endpointOf(seller);
    const id = await addPendingListing(place, seller.id);
    place.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    await callback(seller, { callbackUrl: 'https://other.example.org/' }, {}, place);
    expect(await endpointOf(seller)).toEqual(before);
    expect(await statusOf(id)).toBe('pending');
  });

  it('may try again with the same Idempotency-Key', async () => {
    const place = createMarket();
    const seller = await newSellerOf(place);
    const headers = { 'idempotency-key': 'endpoint-2' };
    const good = place.sellerEndpoint.script;
    place.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    expect((await callback(seller, { callbackUrl: URL_OF_SELLER }, headers, place)).status).toBe(504);
    await place.background.settled();
    place.sellerEndpoint.script = good;
    expect((await callback(seller, { callbackUrl: URL_OF_SELLER }, headers, place)).status).toBe(200);
  });
});

describe('a URL that must not be called', () => {
  const urls = [
    'http://seller.example.org/',
    'http://localhost:8080/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://[fd00::1]/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://intranet/',
    'https://user:pass@seller.example.org/',
    'https://seller.example.org:22/',
    'https://seller.example.org/#fragment',
    'ftp://seller.example.org/',
    'not a url',
    '',
  ];

  clause('selling.callback-https');
  it.each(urls)('is refused for every type: %j', async (callbackUrl) => {
    const seller = await newSellerOf(market);
    const asked = market.sellerEndpoint.requests.length;
    for (const callbackType of ['webhook', 'polling', 'mcp']) {
      const { status, body } = await callback(seller, { callbackUrl, callbackType });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect((body.errors as { path: string }[])[0]?.path).toBe('callbackUrl');
    }
    expect(market.sellerEndpoint.requests).toHaveLength(asked);
    expect(await endpointOf(seller)).toBeNull();
  });

  it('is refused, too, when a public name leads to a private address', async () => {
    let fetched = 0;
    const place = createMarket({
      sellerEndpoint: createSellerEndpoint({
        signer: createSigner(TEST_SIGNING_KEY),
        clock: new FakeClock(),
        relay: sellerRelay(
          async () => {
            fetched += 1;
            return new Response('{}');
          },
          async () => ['10.0.0.1'],
        ),
        allowLoopbackHttp: false,
      }),
    });
    const seller = await newSellerOf(place);
    const { status, body } = await callback(seller, { callbackUrl: URL_OF_SELLER }, {}, place);
    expect([status, body.code]).toEqual([502, 'endpoint_not_verified']);
    expect(fetched).toBe(0);
    expect(await endpointOf(seller)).toBeNull();
  });

  it('may be on this machine in local development', async () => {
    const local = createTestMarketplace({ operations });
    const seller = await newSellerOf(local);
    expect((await callback(seller, { callbackUrl: 'http://localhost:9999/' }, {}, local)).status).toBe(200);
  });
});

describe('an endpoint that is polled', () => {
  it('is verified through the mailbox, and its URL never called', async () => {
    const seller = await newSellerOf(market);
    const asked = market.sellerEndpoint.requests.length;
    const verifying = callback(seller, { callbackUrl: URL_OF_SELLER, callbackType: 'polling' });
    const [waiting] = await nextDeliveries(seller);
    const nonce = waiting?.request.nonce;
    await post(`/sell/deliveries/${waiting?.id}`, { nonce }, { apiKey: seller.apiKey });
    expect((await verifying).body).toMatchObject({ callbackType: 'polling', verified: true });
    expect(market.sellerEndpoint.requests).toHaveLength(asked);
  });

  it('is told to come back when the mailbox is down', async () => {
    const pollingMailbox = {
      ...createFakePollingMailbox(),
      ask: async () => ({ kind: 'unavailable' as const }),
    };
    const place = createMarket({ pollingMailbox });
    const seller = await newSellerOf(place);
    const body = { callbackUrl: URL_OF_SELLER, callbackType: 'polling' };
    const refused = await callback(seller, body, {}, place);
    expect([refused.status, refused.body.code]).toEqual([503, 'service_unavailable']);
  });

  async function nextDeliveries(seller: RegisteredAgent) {
    for (let tries = 0; tries < 50; tries += 1) {
      const response = await market.request('GET', '/sell/deliveries', { apiKey: seller.apiKey });
      const { body } = await readSigned(response);
      const deliveries = body.deliveries as { id: string; request: { nonce: string } }[];
      if (deliveries.length > 0) return deliveries;
    }
    throw new Error('no challenge arrived');
  }
});

describe('a claim link', () => {
  async function newClaim(place: TestMarketplace = market) {
    const seller = await newSellerOf(place, { name: 'Private Name', email: 'private@example.com' });
    const ports = place.newPorts();
    const { claimUrl, expiresAt, statements } = await claimLinkFor(
      ports,
      { baseUrl: TEST_BASE_URL, siteUrl: null },
      { sellerId: seller.id, claimExpiresAt: null },
      place.clock.now(),
    );
    await ports.market.commit(statements);
    return { seller, expiresAt, token: claimUrl.split('/').at(-1) ?? '' };
  }

  async function read(token: string, place = market) {
    const response = await place.request('GET', `/sell/claims/${token}`);
    return { status: response.status, ...(await readSigned(response)) };
  }

  it('shows what is missing, and nothing private, in one round trip', async () => {
    const { seller, token, expiresAt } = await newClaim();
    const id = await addPendingListing(market, seller.id, { title: 'Priced', priceCents: 250 });
    market.market.reset();
    const { status, body, text } = await read(token);
    expect(status).toBe(200);
    expect(market.market.count).toBe(1);
    expect(body).toEqual({
      endpoint: null,
      expiresAt,
      payouts: { connected: false },
      pendingListings: [{ id, priceCents: 250, priceMicros: null, meter: null, title: 'Priced' }],
      seller: { displayName: null, label: expect.stringMatching(/^seller-[0-9a-f]{6}$/) },
    });
    expect(text).not.toMatch(/Private Name|private@example/);
  });

  clause('listing-states.claim');
  it('stands in for the key when the endpoint is verified, and stays in force', async () => {
    const { seller, token } = await newClaim();
    const id = await addPendingListing(market, seller.id);
    const { status, body } = await post(`/sell/claims/${token}/callback`, { callbackUrl: URL_OF_SELLER });
    expect(status).toBe(200);
    expect(body).toMatchObject({ activatedListings: [id], verified: true });
    expect((await read(token)).body).toMatchObject({
      endpoint: { callbackType: 'webhook', verified: true },
      pendingListings: [],
    });
  });

  it('lets nothing through that the key would not', async () => {
    const place = createMarket();
    place.sellerEndpoint.script = () => replied({ nonce: 'wrong' });
    const { seller, token } = await newClaim(place);
    const path = `/sell/claims/${token}/callback`;
    expect((await post(path, { callbackUrl: 'https://127.0.0.1/' }, {}, place)).status).toBe(400);
    expect((await post(path, { callbackUrl: URL_OF_SELLER }, {}, place)).body.code).toBe(
      'endpoint_not_verified',
    );
    expect(await endpointOf(seller)).toBeNull();
  });

  it.each(['changed', 'ended', 'renewed', 'of no form', 'of nobody'])(
    'is 404 alike if it is %s',
    async (fault) => {
      const place = createMarket();
      const { seller, token } = await newClaim(place);
      let given = token;
      if (fault === 'changed') given = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
      if (fault === 'of no form') given = 'x';
      if (fault === 'of nobody') given = `3f2504e0-4f89-41d3-9a0c-0305e82c3301.${token.slice(37)}`;
      if (fault === 'ended') place.clock.advance(8 * DAY_MS);
      if (fault === 'renewed') {
        const ports = place.newPorts();
        const later = place.clock.now() + 6.5 * DAY_MS;
        const renewed = await claimLinkFor(
          ports,
          { baseUrl: TEST_BASE_URL, siteUrl: null },
          { sellerId: seller.id, claimExpiresAt: new Date(place.clock.now() + 7 * DAY_MS).toISOString() },
          later,
        );
        await ports.market.commit(renewed.statements);
      }
      const asked = place.sellerEndpoint.requests.length;
      const answers = [
        await read(given, place),
        await post(`/sell/claims/${given}/callback`, { callbackUrl: URL_OF_SELLER }, {}, place),
      ];
      for (const { status, body } of answers) {
        expect([status, body.code]).toEqual([404, 'claim_not_found']);
      }
      expect(place.sellerEndpoint.requests).toHaveLength(asked);
    },
  );
});
