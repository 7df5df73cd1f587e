import { claimLinkFor, deliverAgentEvents } from '@agent-marketplace/core/agents/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@agent-marketplace/core/kernel/time.ts';
import { replied } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { TEST_BASE_URL } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Who names a URL need not own it: what the platform sends to a host that never agreed has an end by the day.

const CALLBACKS_OF_HOST = 20;
const CALLBACKS_OF_NETWORK = 100;
const PROBES = { host: 20, key: 20, network: 100 };

const sales = createSalesMarketplace();
const { sellerEndpoint } = sales.market;
const good = sellerEndpoint.script;

let networks = 0;
function newNetwork(): string {
  networks += 1;
  return `203.0.113.${networks}`;
}

beforeEach(async () => {
  sellerEndpoint.script = good;
  await sales.market.background.settled();
  // What is left of other tests is given up.
  for (let day = 0; day < 3; day += 1) {
    sales.market.clock.advance(DAY_MS);
    await deliverAgentEvents(sales.market.newPorts(), 10_000);
  }
  sellerEndpoint.requests.length = 0;
});

async function keyWith(callbackUrl: string, network = newNetwork()): Promise<RegisteredAgent> {
  const body = { name: 'Key', callbackUrl };
  const from = { 'cf-connecting-ip': network };
  const registered = await sales.request('POST', '/agents/register', null, body, from);
  expect(registered.status).toBe(201);
  return registered.body as unknown as RegisteredAgent;
}

async function write(from: RegisteredAgent, to: RegisteredAgent): Promise<void> {
  const path = `/agents/${to.connect.handle}/messages`;
  expect((await sales.request('POST', path, from.apiKey, { text: 'Hello' })).status).toBe(201);
}

/** As a day passes, with a run of the sender whenever something may be due. */
async function passDay(): Promise<void> {
  await sales.market.background.settled();
  for (let hour = 0; hour < 23; hour += 1) {
    await deliverAgentEvents(sales.market.newPorts(), 10_000);
    sales.market.clock.advance(HOUR_MS);
  }
}

/** At the beginning of a day (UTC). */
function toMidnight(): void {
  sales.market.clock.advance(DAY_MS - (sales.market.clock.now() % DAY_MS));
}

const callsTo = (host: string) =>
  sellerEndpoint.requests.filter(({ url }) => new URL(url).hostname.replace(/\.$/, '') === host).length;

describe('callbacks that nobody confirmed', () => {
  it('of fifty free keys on one host get no more events in a day than one bound', async () => {
    sellerEndpoint.script = () => replied('', 404);
    // One host in as many spellings as there are.
    const spellings = ['/a', ':8443/b', '?c=1', '/d', '?e'].map(
      (rest) => `https://victim.example.com${rest}`,
    );
    const keys: RegisteredAgent[] = [];
    for (let n = 0; n < 50; n += 1) keys.push(await keyWith(spellings[n % 5] as string));
    toMidnight();
    for (const [n, to] of keys.entries()) {
      await write(keys[(n + 1) % 50] as RegisteredAgent, to);
      await write(keys[(n + 7) % 50] as RegisteredAgent, to);
    }
    await passDay();
    expect(callsTo('victim.example.com')).toBe(CALLBACKS_OF_HOST);
  });

  it('of the keys of one network are tried so often in a day, whatever their hosts', async () => {
    sellerEndpoint.script = () => replied('', 500);
    const network = newNetwork();
    const keys: RegisteredAgent[] = [];
    for (let n = 0; n < 30; n += 1) keys.push(await keyWith(`https://victim-${n}.example.net/`, network));
    toMidnight();
    for (const [n, to] of keys.entries()) await write(keys[(n + 1) % 30] as RegisteredAgent, to);
    await passDay();
    expect(sellerEndpoint.requests).toHaveLength(CALLBACKS_OF_NETWORK);
  });

  it('wait for the next day, and are given up after one', async () => {
    sellerEndpoint.script = () => replied('', 404);
    const waster = await keyWith('https://shared.example.com/waster');
    const sender = await keyWith('https://elsewhere.example.com/');
    toMidnight();
    for (let n = 0; n < 10; n += 1) await write(sender, waster);
    await passDay();
    expect(callsTo('shared.example.com')).toBe(CALLBACKS_OF_HOST);
    const honest = await keyWith('https://shared.example.com/honest');
    await write(sender, honest);
    await passDay();
    sellerEndpoint.script = good;
    toMidnight();
    await deliverAgentEvents(sales.market.newPorts(), 10_000);
    const { body } = await sales.request('GET', '/agents/me', honest.apiKey);
    expect((body as unknown as { events: object }).events).toMatchObject({ pending: 0, givenUp: 0 });
  });

  it('that answered once are sent everything', async () => {
    const honest = await keyWith('https://honest.example.com/events');
    const sender = await keyWith('https://elsewhere.example.com/');
    await write(sender, honest);
    await deliverAgentEvents(sales.market.newPorts(), 10_000);
    toMidnight();
    for (let n = 0; n < 50; n += 1) await write(sender, honest);
    await deliverAgentEvents(sales.market.newPorts(), 10_000);
    expect(callsTo('honest.example.com')).toBe(51);
  });
});

describe('checks of endpoints that fail', () => {
  const verify = async (by: RegisteredAgent, callbackUrl: string) => {
    // The windows of the limits by the minute are not what this is about.
    sales.market.clock.advance(MINUTE_MS / 10);
    const { status, body } = await sales.request('POST', '/sell/callback', by.apiKey, { callbackUrl });
    return body.code ?? status;
  };

  beforeEach(() => {
    toMidnight();
    sellerEndpoint.script = () => replied('', 404);
  });

  it('of free keys reach one host so often in a day', async () => {
    const codes: unknown[] = [];
    for (let key = 0; key < 10; key += 1) {
      const by = await keyWith('https://elsewhere.example.com/');
      for (let n = 0; n < 5; n += 1) codes.push(await verify(by, `https://target.example.com:${8000 + n}/`));
    }
    expect(callsTo('target.example.com')).toBe(PROBES.host);
    expect(codes.slice(0, 20)).toEqual(Array(20).fill('endpoint_not_verified'));
    expect(codes.slice(20)).toEqual(Array(30).fill('daily_limit_reached'));
  });

  it('of one free key, and of those of one network, reach so many hosts', async () => {
    const network = newNetwork();
    for (let key = 0; key < 6; key += 1) {
      const by = await keyWith('https://elsewhere.example.com/', network);
      for (let n = 0; n < 25; n += 1) await verify(by, `https://target-${key}-${n}.example.com/`);
      expect(sellerEndpoint.requests).toHaveLength(Math.min((key + 1) * PROBES.key, PROBES.network));
    }
  });

  it('by claim link count like those of the key', async () => {
    const from = { 'cf-connecting-ip': newNetwork() };
    const registered = await sales.request('POST', '/sell/register', null, { name: 'Ada' }, from);
    const seller = registered.body as unknown as RegisteredAgent;
    const [row] = await sales.rows<{ at: string }>(
      'SELECT claim_expires_at AS at FROM sellers WHERE agent_id = ?',
      seller.id,
    );
    const claimed = { sellerId: seller.id, claimExpiresAt: row?.at ?? null };
    const { market, clock } = sales.market.newPorts();
    const place = { baseUrl: TEST_BASE_URL, siteUrl: null };
    const link = await claimLinkFor(sales.market.newPorts(), place, claimed, clock.now());
    await market.commit(link.statements);
    const token = link.claimUrl.split('/').at(-1);
    for (let n = 0; n < 25; n += 1) {
      sales.market.clock.advance(MINUTE_MS / 10);
      const callbackUrl = `https://linked-${n}.example.com/`;
      await sales.request('POST', `/sell/claims/${token}/callback`, null, { callbackUrl });
    }
    expect(sellerEndpoint.requests).toHaveLength(PROBES.key);
    expect(await verify(seller, 'https://linked.example.com/')).toBe('daily_limit_reached');
  });
});
