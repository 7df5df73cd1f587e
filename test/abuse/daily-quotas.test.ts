import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { file } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Asking costs nothing, and neither does a key: what either may leave behind in a day has an end, in all isolates together.

const OF_A_DAY = { network: 3, key: 4, keysOfNetwork: 6 };
/** In units of 10,000 bytes. */
const ATTACHMENT = { network: 2, key: 3, keysOfNetwork: 4 };
const REGISTER = { network: 4, key: 4, keysOfNetwork: 4 };
const DAILY_LIMITS = JSON.stringify({
  write: OF_A_DAY,
  register: REGISTER,
  purchase: OF_A_DAY,
  inquiry: OF_A_DAY,
  attachment: ATTACHMENT,
});
const sales = createSalesMarketplace({}, { variables: { DAILY_LIMITS } });
/** Another isolate of the same deployment: it shares the database, and nothing else. */
const elsewhere = createSalesMarketplace({}, { variables: { DAILY_LIMITS } });
/** The same deployment with room for what the test itself sets up. */
const generous = createSalesMarketplace();

let networks = 0;
function newNetwork(): string {
  networks += 1;
  return `198.51.100.${networks}`;
}
const from = (address: string) => ({ 'cf-connecting-ip': address });

interface Answered {
  readonly status: number;
  readonly body: { readonly code?: string };
}

/** Codes of as many requests, one after the other. */
async function codes(times: number, send: (n: number) => Promise<Answered>) {
  const found: (string | number)[] = [];
  for (let n = 0; n < times; n += 1) {
    const { status, body } = await send(n);
    found.push(body.code ?? status);
  }
  return found;
}

const post = (path: string, body: object, address: string, by: RegisteredAgent | null = null) =>
  sales.request('POST', path, by?.apiKey ?? null, body, from(address));

const LIMIT = 'daily_limit_reached';

beforeEach(() => {
  sales.market.clock.advance(DAY_MS);
  generous.market.clock.advance(DAY_MS);
});

async function registeredFrom(address: string): Promise<RegisteredAgent> {
  return (await post('/agents/register', { name: 'Ada' }, address)).body as unknown as RegisteredAgent;
}

describe('callers without a key', () => {
  it('of one network register so many agents a day, and others are not in their way', async () => {
    const network = newNetwork();
    const register = () => post('/agents/register', { name: 'Ada' }, network);
    expect(await codes(6, register)).toEqual([201, 201, 201, 201, LIMIT, LIMIT]);
    const { status, body, headers } = await register();
    expect([status, (body as { retryable?: boolean }).retryable]).toEqual([429, true]);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(DAY_MS / 1000);
    expect((await post('/agents/register', { name: 'Bea' }, newNetwork())).status).toBe(201);
    sales.market.clock.advance(DAY_MS);
    expect((await register()).status).toBe(201);
  });

  it('have one quota in all isolates together', async () => {
    const network = from(newNetwork());
    const idea = { title: 'An idea', description: 'Better.' };
    elsewhere.market.clock.set(sales.market.clock.now());
    const ask = (n: number, path: string, body: object) =>
      [sales, elsewhere][n % 2]?.request('POST', path, null, body, network) as Promise<Answered>;
    expect(await codes(6, (n) => ask(n, '/agents/register', { name: 'Ada' }))).toEqual([
      ...Array(REGISTER.network).fill(201),
      'daily_limit_reached',
      'daily_limit_reached',
    ]);
    expect(await codes(5, (n) => ask(n, '/ideas', idea))).toEqual([
      ...Array(OF_A_DAY.network).fill(201),
      'daily_limit_reached',
      'daily_limit_reached',
    ]);
  });

  it('cannot exceed it by asking at once', async () => {
    const network = newNetwork();
    const register = () => post('/agents/register', { name: 'Ada' }, network);
    const statuses = (await Promise.all(Array.from({ length: 20 }, register))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(REGISTER.network);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - REGISTER.network);
  });

  it('take so many free things, and no seller is asked for more', async () => {
    const { id } = await generous.listing({ priceCents: 0 });
    const network = newNetwork();
    const asked = sales.market.sellerEndpoint.requests.length;
    const buy = () => post(`/marketplace/listings/${id}/purchase`, {}, network);
    expect(await codes(5, buy)).toEqual([200, 200, 200, LIMIT, LIMIT]);
    expect(sales.market.sellerEndpoint.requests.length - asked).toBe(OF_A_DAY.network);
  });

  it('open so many payment pages, and the processor is asked for no more', async () => {
    const { id } = await generous.listing();
    const network = newNetwork();
    const buy = () => post(`/marketplace/listings/${id}/purchase`, { payment_method: 'checkout' }, network);
    expect(await codes(5, buy)).toEqual([200, 200, 200, LIMIT, LIMIT]);
    expect(await generous.purchases(id)).toHaveLength(OF_A_DAY.network);
  });

  it('write so many inquiries and ideas, and not one of endless length in their place', async () => {
    const network = newNetwork();
    const inquiry = (message = 'How?') => post('/inquiries', { subject: 'A question', message }, network);
    const idea = () => post('/ideas', { title: 'An idea', description: 'Better.' }, network);
    expect(await codes(5, (n) => (n % 2 === 0 ? inquiry() : idea()))).toEqual([201, 201, 201, LIMIT, LIMIT]);
    const another = newNetwork();
    const long = () =>
      post('/ideas', { title: 'Long', description: 'x'.repeat(9900), impact: 'y'.repeat(1900) }, another);
    // Each is longer than the average that the quota allows for.
    expect(await codes(3, long)).toEqual([201, 201, LIMIT]);
  });
});

describe('the bytes of attachments', () => {
  const sent = (content: string, address: string, by: RegisteredAgent | null = null) =>
    post('/inquiries', { subject: 'A file', message: 'See.', attachments: [file(content)] }, address, by);
  const stored = () => sales.market.attachments.objects.size;

  it('of one network have a quota, and none is stored beyond it', async () => {
    const network = newNetwork();
    const before = stored();
    const contents = ['a', 'b', 'c'].map((letter) => letter.repeat(9000));
    expect(await codes(3, (n) => sent(contents[n] ?? '', network))).toEqual([201, 201, LIMIT]);
    expect(stored() - before).toBe(2);
    expect(await codes(1, () => sent('d'.repeat(20_001), newNetwork()))).toEqual([LIMIT]);
  });

  it('of a key have one, and of all free keys of its network', async () => {
    const network = newNetwork();
    const [first, second] = [await registeredFrom(network), await registeredFrom(network)];
    const before = stored();
    const content = (n: number) => String(n).padEnd(9000, 'k');
    expect(await codes(4, (n) => sent(content(n), newNetwork(), first))).toEqual([201, 201, 201, LIMIT]);
    expect(await codes(2, (n) => sent(content(n + 4), newNetwork(), second))).toEqual([201, LIMIT]);
    expect(stored() - before).toBe(4);
  });
});

describe('a key that never paid', () => {
  it('writes so much a day', async () => {
    const sender = await generous.newAgent();
    const recipients: RegisteredAgent[] = [];
    for (let n = 0; n < 6; n += 1) recipients.push(await generous.newAgent());
    const write = (n: number) =>
      post(`/agents/${recipients[n]?.connect.handle}/messages`, { text: 'Hello' }, newNetwork(), sender);
    expect(await codes(6, write)).toEqual([201, 201, 201, 201, LIMIT, LIMIT]);
  });

  it('shares a quota with all other unpaid keys that were registered from its network', async () => {
    const network = newNetwork();
    const [first, second] = [await registeredFrom(network), await registeredFrom(network)];
    const elsewhere = await registeredFrom(newNetwork());
    const { connect } = await generous.newAgent();
    const write = (by: RegisteredAgent) => () =>
      post(`/agents/${connect.handle}/messages`, { text: 'Hello' }, newNetwork(), by);
    expect(await codes(4, write(first))).toEqual([201, 201, 201, 201]);
    expect(await codes(3, write(second))).toEqual([201, 201, LIMIT]);
    expect(await codes(1, write(elsewhere))).toEqual([201]);
  });

  it('has its own quota to itself once it paid', async () => {
    const network = newNetwork();
    const [free, customer] = [await registeredFrom(network), await registeredFrom(network)];
    await generous.fund(customer, 5000);
    const bought = await generous.buy((await generous.listing()).id, customer, {
      body: { payment_method: 'wallet' },
    });
    expect(bought.status).toBe(200);
    const { connect } = await generous.newAgent();
    const write = (by: RegisteredAgent) => () =>
      post(`/agents/${connect.handle}/messages`, { text: 'Hello' }, newNetwork(), by);
    sales.market.clock.advance(DAY_MS);
    expect(await codes(4, write(free))).toEqual([201, 201, 201, 201]);
    expect(await codes(5, write(customer))).toEqual([201, 201, 201, 201, LIMIT]);
  });

  it('opens so many payment pages; what is paid at once counts nowhere', async () => {
    const { id } = await generous.listing();
    const buyer = await generous.newAgent();
    await sales.fund(buyer, 20_000);
    const buy = (method: string) => () =>
      post(`/marketplace/listings/${id}/purchase`, { payment_method: method }, newNetwork(), buyer);
    expect(await codes(6, buy('checkout'))).toEqual([200, 200, 200, 200, LIMIT, LIMIT]);
    expect(await codes(6, buy('wallet'))).toEqual([200, 200, 200, 200, 200, 200]);
    const fund = () => post('/wallet/fund', { amount_cents: 1000 }, newNetwork(), buyer);
    expect(await codes(5, fund)).toEqual([200, 200, 200, LIMIT, LIMIT]);
  });
});

it('an operator is never in the way of the quota', async () => {
  const network = newNetwork();
  await codes(5, () => post('/agents/register', { name: 'Ada' }, network));
  const { TEST_ADMIN_SECRET } = await import('@agent-marketplace/core/testing/marketplace/test-bindings.ts');
  const response = await sales.market.request('POST', '/agents/register', {
    body: { name: 'Smoke', smokeTest: true },
    headers: { ...from(network), 'x-mkt-admin': TEST_ADMIN_SECRET },
  });
  expect(response.status).toBe(201);
});

it('what was counted is deleted when its day is over', async () => {
  await post('/agents/register', { name: 'Ada' }, newNetwork());
  const count = async () =>
    (await sales.rows<{ n: number }>('SELECT COUNT(*) AS n FROM daily_quotas'))[0]?.n ?? -1;
  expect(await count()).toBeGreaterThan(0);
  sales.market.clock.advance(DAY_MS);
  await runEveryMinute(sales.market.newPorts());
  expect(await count()).toBe(0);
});
