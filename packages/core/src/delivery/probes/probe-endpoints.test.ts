import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSellerEndpoint } from '../../adapters/fetch/seller-endpoint.ts';
import { createSigner } from '../../adapters/keys/keyring.ts';
import { sellerRelay } from '../../compose/seller-relay.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { measureListings } from '../../quality/index.ts';
import { replied, type ScriptedReply, sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../../testing/marketplace/sales-marketplace.ts';
import { TEST_SIGNING_KEY } from '../../testing/marketplace/test-bindings.ts';
import { probeEndpoints } from './probe-endpoints.ts';

// Sellers are asked again by the marketplace only where nobody else knows whether they answer, and rarely.

const sales = createSalesMarketplace();
const { market } = sales;
const good = sellerOf({ answer: 42 });
const never: ScriptedReply = { kind: 'timed_out' };

/** Endpoints of other tests are none of this one's. */
beforeEach(async () => {
  await market.market.d1.prepare('UPDATE delivery_endpoints SET probe_at = NULL, recovered_at = NULL').run();
});
afterEach(() => {
  market.sellerEndpoint.script = good;
  market.market.fault = () => undefined;
});

interface State {
  readonly probe_at: string | null;
  readonly silent_since: string | null;
  readonly failed_probes: number;
  readonly unreachable_since: string | null;
}

async function stateOf({ id }: RegisteredAgent): Promise<State> {
  const sql =
    'SELECT probe_at, silent_since, failed_probes, unreachable_since FROM delivery_endpoints WHERE seller_id = ?';
  const [row] = await sales.rows<State>(sql, id);
  if (!row) throw new Error('It has no endpoint.');
  return row;
}

const eventsOf = async ({ id }: RegisteredAgent): Promise<{ type: string; data: string }[]> =>
  sales.rows(
    "SELECT type, data FROM agent_events WHERE agent_id = ? AND type LIKE 'endpoint.%' ORDER BY sequence",
    id,
  );

const shownSince = async (listingId: string): Promise<string | null> => {
  const { body } = await sales.request('GET', `/marketplace/listings/${listingId}`, null);
  return (body as unknown as { listing: { unreachableSince: string | null } }).listing.unreachableSince;
};

/** The times at which this seller was challenged from now on. */
function challengesOf({ id }: RegisteredAgent, reply: (at: number) => ScriptedReply): number[] {
  const times: number[] = [];
  market.sellerEndpoint.script = (request) => {
    if (!request.url.includes(id) || !request.body.includes('verification_challenge')) return good(request);
    times.push(market.clock.now());
    return reply(market.clock.now());
  };
  return times;
}

const run = (ports: Partial<Ports> = {}) => probeEndpoints({ ...market.newPorts(), ...ports });

/** The job runs every so often, for so long. */
async function pass(durationMs: number, stepMs = 10 * MINUTE_MS): Promise<void> {
  for (let at = 0; at < durationMs; at += stepMs) {
    market.clock.advance(stepMs);
    await run();
  }
}

/** A seller whom a buyer got no answer from. */
async function silentSeller(callback = {}): Promise<{ seller: RegisteredAgent; listingId: string }> {
  const { id: listingId, seller } = await sales.listing({ priceCents: 0 });
  if (Object.keys(callback).length > 0)
    await sales.request('POST', '/sell/callback', seller.apiKey, callback);
  market.sellerEndpoint.script = () => never;
  await sales.buy(listingId, await sales.newAgent());
  await market.background.settled();
  market.sellerEndpoint.script = good;
  return { seller, listingId };
}

describe('a seller who does not answer a buyer', () => {
  it('is probed each hour, is unreachable after a day, and its listing still sells what it delivers', async () => {
    const { seller, listingId } = await silentSeller();
    const since = (await stateOf(seller)).silent_since;
    const times = challengesOf(seller, () => never);
    await pass(DAY_MS - 10 * MINUTE_MS);
    expect(times).toHaveLength(23);
    expect(await shownSince(listingId)).toBeNull();
    expect(await eventsOf(seller)).toEqual([]);
    await pass(2 * HOUR_MS);
    const gaps = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(HOUR_MS);
    const { unreachable_since: gone } = await stateOf(seller);
    expect(gone).not.toBeNull();
    expect(await shownSince(listingId)).toBe(gone);
    const [event, ...more] = await eventsOf(seller);
    expect([event?.type, JSON.parse(event?.data ?? ''), more]).toEqual([
      'endpoint.unreachable',
      { silentSince: since, willProbe: true },
      [],
    ]);
    // A sale by link is the proof of the contrary: it is back with it, and told once.
    market.sellerEndpoint.script = good;
    expect((await sales.buy(listingId, await sales.newAgent())).status).toBe(200);
    expect(await shownSince(listingId)).toBeNull();
    await pass(HOUR_MS);
    expect((await eventsOf(seller)).map(({ type }) => type)).toEqual([
      'endpoint.unreachable',
      'endpoint.reachable',
    ]);
  });

  it('is back with the first probe that it answers', async () => {
    const { seller, listingId } = await silentSeller();
    const times = challengesOf(seller, () => never);
    await pass(26 * HOUR_MS);
    expect(await shownSince(listingId)).not.toBeNull();
    market.sellerEndpoint.script = good;
    await pass(HOUR_MS + 20 * MINUTE_MS);
    expect(await stateOf(seller)).toMatchObject({
      silent_since: null,
      failed_probes: 0,
      unreachable_since: null,
    });
    expect((await eventsOf(seller)).map(({ type }) => type)).toEqual([
      'endpoint.unreachable',
      'endpoint.reachable',
    ]);
    // Now it is one of the idle: a week without any call.
    const before = times.length;
    challengesOf(seller, () => never);
    await pass(6 * DAY_MS, HOUR_MS);
    expect(times).toHaveLength(before);
  });

  it.each<[string, ScriptedReply]>([
    ['another nonce', replied({ nonce: 'f'.repeat(48) })],
    ['a redirect', { kind: 'redirected', status: 302 }],
    ['a private address', { kind: 'url_refused', reason: 'private_address' }],
    ['nothing in time, or a drip', never],
    ['10 MB', replied({ nonce: 'x'.repeat(10 * 1024 * 1024) })],
    ['500', replied('', 500)],
    ['401', replied('', 401)],
    ['404', replied('', 404)],
    ['503 for a million days', replied('', 503, { 'retry-after': '86400000000' })],
    ['503 for less than nothing', replied('', 503, { 'retry-after': '-5' })],
  ])('%s is no answer', async (_name, reply) => {
    const { seller } = await silentSeller();
    const times = challengesOf(seller, () => reply);
    await pass(2 * HOUR_MS);
    const { failed_probes: failed, probe_at: next } = await stateOf(seller);
    expect(times.length).toBe(failed);
    expect(failed).toBeGreaterThanOrEqual(1);
    expect(Date.parse(next ?? '')).toBeLessThanOrEqual(market.clock.now() + DAY_MS);
  });

  it('is asked no sooner than its Retry-After says, in seconds or as a date, and never for more than a day', async () => {
    const { seller } = await silentSeller();
    const values = [
      () => String(3 * 3600),
      (at: number) => new Date(Math.ceil(at / 1000) * 1000 + 5 * HOUR_MS).toUTCString(),
      () => '86400000000',
    ];
    const times = challengesOf(seller, (at) =>
      replied('', 503, { 'retry-after': values[times.length - 1]?.(at) ?? '' }),
    );
    await pass(33 * HOUR_MS + 40 * MINUTE_MS);
    const gaps = times.slice(1).map((at, n) => Math.floor((at - (times[n] ?? 0)) / HOUR_MS));
    expect(gaps).toEqual([3, 5, 24]);
  });

  it('is asked no more after 410, until it is verified again', async () => {
    const { seller, listingId } = await silentSeller();
    const times = challengesOf(seller, () => replied('', 410));
    await pass(3 * HOUR_MS);
    expect(times).toHaveLength(1);
    expect(await shownSince(listingId)).not.toBeNull();
    expect(JSON.parse((await eventsOf(seller))[0]?.data ?? '')).toMatchObject({ willProbe: false });
    // A sale that it delivers shows the listing again, and resumes no probes.
    market.sellerEndpoint.script = good;
    await sales.buy(listingId, await sales.newAgent());
    expect(await shownSince(listingId)).toBeNull();
    market.sellerEndpoint.script = () => never;
    await sales.buy(listingId, await sales.newAgent());
    await market.background.settled();
    challengesOf(seller, () => never);
    await pass(3 * HOUR_MS);
    expect(times).toHaveLength(1);
    market.sellerEndpoint.script = good;
    const callbackUrl = `https://seller-${seller.id}.example.com/hook`;
    await sales.request('POST', '/sell/callback', seller.apiKey, { callbackUrl });
    expect(await stateOf(seller)).toEqual({
      probe_at: isoTime(market.clock.now() + 7 * DAY_MS),
      silent_since: null,
      failed_probes: 0,
      unreachable_since: null,
    });
  });

  it('is asked in its own way: an MCP server by its tool, a seller who polls through its mailbox', async () => {
    const mcp = await silentSeller();
    await sales.rows(
      "UPDATE delivery_endpoints SET callback_type = 'mcp' WHERE seller_id = ? RETURNING 1",
      mcp.seller.id,
    );
    const poller = await silentSeller();
    await sales.rows(
      "UPDATE delivery_endpoints SET callback_type = 'polling', callback_host = NULL WHERE seller_id = ? RETURNING 1",
      poller.seller.id,
    );
    const bodies: string[] = [];
    market.sellerEndpoint.script = ({ url, body }) => {
      if (url.includes(mcp.seller.id)) bodies.push(body);
      return { kind: 'unreachable' };
    };
    market.clock.advance(HOUR_MS);
    const ports = market.newPorts();
    const probing = probeEndpoints(ports);
    let pending: Awaited<ReturnType<typeof ports.pollingMailbox.pending>> = [];
    while (pending?.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      pending = await ports.pollingMailbox.pending(poller.seller.id, 1);
    }
    const { nonce } = JSON.parse(pending?.[0]?.body ?? '{}');
    const answer = new TextEncoder().encode(JSON.stringify({ nonce }));
    expect(await ports.pollingMailbox.answer(poller.seller.id, pending?.[0]?.id ?? '', answer)).toBe(
      'accepted',
    );
    await probing;
    expect(bodies.map((body) => JSON.parse(body).method)).toEqual(['tools/call']);
    expect((await stateOf(mcp.seller)).failed_probes).toBe(1);
    expect((await stateOf(poller.seller)).silent_since).toBeNull();
  });
});

describe('calls are few', () => {
  it('a healthy seller without buyers is called once a week, one with buyers never', async () => {
    const idle = await sales.listing({ priceCents: 0 });
    const busy = await sales.listing({ priceCents: 0 });
    const seen = new Map<string, number>();
    market.sellerEndpoint.script = (request) => {
      if (request.body.includes('verification_challenge')) {
        const key = request.url.includes(idle.seller.id) ? 'idle' : 'busy';
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      return good(request);
    };
    const buyer = await sales.newAgent();
    for (let day = 0; day < 29; day += 1) {
      await sales.buy(busy.id, buyer);
      await pass(DAY_MS, HOUR_MS);
    }
    expect([...seen]).toEqual([['idle', 4]]);
  });

  it('two runs at once make one call, and a failure that a delivery overtook changes nothing', async () => {
    const { seller, listingId } = await silentSeller();
    const times = challengesOf(seller, () => never);
    market.clock.advance(HOUR_MS);
    await Promise.all([run(), run(), run()]);
    expect(times).toHaveLength(1);
    market.clock.advance(HOUR_MS);
    const buyer = await sales.newAgent();
    market.sellerEndpoint.script = async (request) => {
      if (!request.body.includes('verification_challenge')) return good(request);
      await sales.buy(listingId, buyer);
      return never;
    };
    await run();
    expect(await stateOf(seller)).toMatchObject({ silent_since: null, failed_probes: 0 });
  });

  it('a run that dies at any of its calls to the database makes no second call within the hour', async () => {
    for (const fault of ['lose_request', 'lose_reply'] as const) {
      for (let at = 0; at < 3; at += 1) {
        const { seller } = await silentSeller();
        const times = challengesOf(seller, () => never);
        market.clock.advance(HOUR_MS);
        let call = 0;
        market.market.fault = () => (call++ >= at ? fault : undefined);
        await run().catch(() => null);
        expect(call).toBeGreaterThan(at);
        market.market.fault = () => undefined;
        await pass(HOUR_MS - MINUTE_MS, (59 * MINUTE_MS) / 5);
        expect(times.length).toBeLessThanOrEqual(1);
        await pass(HOUR_MS);
        expect(times.length).toBeGreaterThanOrEqual(1);
        await market.market.d1.prepare('UPDATE delivery_endpoints SET probe_at = NULL').run();
      }
    }
  });

  it('a notice is told once by two runs at once', async () => {
    const { seller } = await silentSeller();
    await sales.rows(
      'UPDATE delivery_endpoints SET unreachable_since = silent_since WHERE seller_id = ? RETURNING 1',
      seller.id,
    );
    market.clock.advance(HOUR_MS);
    await run();
    await Promise.all([run(), run()]);
    expect((await eventsOf(seller)).map(({ type }) => type)).toEqual(['endpoint.reachable']);
  });
});

it('each call passes the guards of the relay: no private address, no redirect, no large answer', async () => {
  const { seller } = await silentSeller();
  const called: string[] = [];
  let taken = 0;
  let address = '93.184.216.34';
  let reply: () => Response = () =>
    new Response(null, { status: 302, headers: { location: 'http://127.0.0.1/' } });
  const fetch = async (url: string | URL | Request) => {
    called.push(String(url));
    return reply();
  };
  const ports = market.newPorts();
  const sellerEndpoint = createSellerEndpoint({
    signer: createSigner(TEST_SIGNING_KEY),
    clock: market.clock,
    relay: sellerRelay(fetch as typeof globalThis.fetch, async () => [address]),
    allowLoopbackHttp: false,
  });
  const probe = async () => {
    market.clock.advance(HOUR_MS);
    await probeEndpoints({ ...ports, sellerEndpoint });
  };
  await probe();
  const large = 'x'.repeat(64 * 1024);
  reply = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          taken += 1;
          if (taken > 160) controller.close();
          else controller.enqueue(new TextEncoder().encode(large));
        },
      }),
    );
  await probe();
  address = '10.0.0.1';
  await probe();
  expect(called).toEqual(Array(2).fill(`https://seller-${seller.id}.example.com/hook`));
  expect(taken).toBeLessThan(5);
  expect(await stateOf(seller)).toMatchObject({ failed_probes: 3 });
});

it('uptime counts the hours of probes beside those of buyers', async () => {
  const { id, seller } = await sales.listing({ priceCents: 0 });
  for (let n = 0; n < 5; n += 1) await sales.buy(id, await sales.newAgent());
  market.clock.advance(HOUR_MS);
  market.sellerEndpoint.script = () => never;
  await sales.buy(id, await sales.newAgent());
  await market.background.settled();
  challengesOf(seller, () => never);
  await pass(2 * HOUR_MS + 20 * MINUTE_MS);
  market.sellerEndpoint.script = good;
  await pass(HOUR_MS);
  await measureListings(market.newPorts());
  const { body } = await sales.request('GET', `/marketplace/listings/${id}`, null);
  const { measured } = (body as unknown as { listing: { measured: { uptime: number } } }).listing;
  const hours = await sales.rows<{ up: number; down: number }>(
    'SELECT up_hours AS up, down_hours AS down FROM probe_days WHERE seller_id = ?',
    seller.id,
  );
  expect(hours.length).toBeGreaterThan(0);
  // Five hours in which it was asked; it answered in the first and in the last.
  expect(measured.uptime).toBe(0.4);
});
