import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeEach, expect, it } from 'vitest';

/** What one seller's mailbox holds at most. */
const PLACES = 100;
const sales = createSalesMarketplace();

interface Pending {
  readonly id: string;
  readonly request: { readonly nonce?: string; readonly query?: { readonly from?: string } };
}

let seller: RegisteredAgent;
let listingId: string;

async function pending(): Promise<Pending[]> {
  const { body } = await sales.request('GET', '/sell/deliveries', seller.apiKey);
  return (body as unknown as { deliveries: Pending[] }).deliveries;
}

async function waitFor(isThere: (message: Pending) => boolean): Promise<Pending> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = (await pending()).find(isThere);
    if (found) return found;
  }
  throw new Error('It never arrived.');
}

const answer = (id: string, body: object) =>
  sales.request('POST', `/sell/deliveries/${id}`, seller.apiKey, body);

/** Begins a purchase, whose request waits until the seller answers. */
function begin(from: string, buyer: RegisteredAgent | null, address: string, query: object = {}) {
  // The windows of the rate limits pass: they would refuse what this is about.
  sales.market.clock.advance(60_000);
  return sales.request(
    'POST',
    `/marketplace/listings/${listingId}/purchase`,
    buyer?.apiKey ?? null,
    { query: { from, ...query } },
    { 'cf-connecting-ip': address },
  );
}

/** Whether the seller gets to see it, and its answer gets through. */
async function expectServed(from: string, buyer: RegisteredAgent | null, address: string): Promise<void> {
  const bought = begin(from, buyer, address);
  const { id } = await waitFor(({ request }) => request.query?.from === from);
  await answer(id, { data: { a: 1 } });
  const { status, body } = await bought;
  expect([status, body.content], from).toEqual([200, { a: 1 }]);
}

/** As many purchases as the mailbox has places, and none is answered before `meanwhile` is over. */
async function flood(
  purchases: (n: number) => ReturnType<typeof begin>,
  meanwhile: () => Promise<void>,
): Promise<number> {
  const begun = Array.from({ length: PLACES }, (_, n) => purchases(n));
  await waitFor(({ request }) => request.query?.from === 'flood');
  // All of them have arrived or been refused once a later one was answered or refused.
  await meanwhile();
  const left = await pending();
  for (const { id } of left) await answer(id, { available: false });
  const refused = (await Promise.all(begun)).filter(({ body }) => body.code !== 'delivery_unavailable');
  expect(refused).toHaveLength(PLACES - left.length);
  for (const { status, body, headers } of refused) {
    expect([status, body.code, body.charged]).toEqual([429, 'mailbox_busy', false]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return left.length;
}

beforeEach(async () => {
  seller = await sales.seller();
  const verifying = sales.request('POST', '/sell/callback', seller.apiKey, {
    callbackUrl: 'https://poller.example.com/',
    callbackType: 'polling',
  });
  const { id, request } = await waitFor(({ request: { nonce } }) => nonce !== undefined);
  await answer(id, { nonce: request.nonce });
  expect((await verifying).status).toBe(200);
  listingId = (await sales.listing({ priceCents: 0 }, seller)).id;
});

it('purchases without a key from one network leave room for those from others, and for keys', async () => {
  const buyer = await sales.newAgent();
  const held = await flood(
    (n) => begin('flood', null, `2001:db8:0:1::${n}`),
    async () => {
      await expectServed('another network', null, '198.51.100.1');
      await expectServed('a key', buyer, '2001:db8:0:1::ffff');
    },
  );
  expect(held).toBeLessThanOrEqual(PLACES / 10);
});

it('purchases without a key from many networks leave half of the room to keys', async () => {
  const buyer = await sales.newAgent();
  const held = await flood(
    (n) => begin('flood', null, `198.51.100.${n}`),
    () => expectServed('a key', buyer, '198.51.100.1'),
  );
  expect(held).toBeLessThanOrEqual(PLACES / 2);
});

/** Agents without any payment, of so many networks. */
async function newKeys(networks: number, ofEach: number): Promise<RegisteredAgent[]> {
  const keys: RegisteredAgent[] = [];
  for (let n = 0; n < networks * ofEach; n += 1) {
    sales.market.clock.advance(60_000);
    const from = { 'cf-connecting-ip': `203.0.113.${n % networks}` };
    const { body } = await sales.request('POST', '/agents/register', null, { name: 'Ada' }, from);
    keys.push(body as unknown as RegisteredAgent);
  }
  return keys;
}

it('many new keys hold a fifth, and leave room for new keys of other networks and for who pays', async () => {
  const keys = await newKeys(8, 4);
  const [honest] = await newKeys(1, 1);
  const [stranger, customer] = [await sales.newAgent(), await sales.newAgent()];
  await sales.fund(customer, 5000);
  const priced = await sales.listing({ priceCents: 1000 }, seller);
  const held = await flood(
    (n) => begin('flood', keys[n % keys.length] as RegisteredAgent, '198.51.100.9'),
    async () => {
      await expectServed('a new key of another network', stranger, '198.51.100.9');
      const paid = { query: { from: 'money' }, payment_method: 'wallet' };
      const path = `/marketplace/listings/${priced.id}/purchase`;
      const bought = sales.request('POST', path, customer.apiKey, paid);
      await answer((await waitFor(({ request }) => request.query?.from === 'money')).id, { data: { a: 1 } });
      expect((await bought).status).toBe(200);
    },
  );
  expect(held).toBeLessThanOrEqual(PLACES / 5);
  await expectServed('one of a busy network, afterwards', honest as RegisteredAgent, '198.51.100.9');
});

it('one network of new keys holds a tenth', async () => {
  const keys = await newKeys(1, 12);
  const stranger = await sales.newAgent();
  const held = await flood(
    (n) => begin('flood', keys[n % keys.length] as RegisteredAgent, `198.51.100.${n}`),
    () => expectServed('a new key of another network', stranger, '198.51.100.9'),
  );
  expect(held).toBeLessThanOrEqual(PLACES / 10);
});

it('whoever paid before finds room while new keys fill theirs', async () => {
  const keys = await newKeys(30, 1);
  const customer = await sales.newAgent();
  await sales.fund(customer, 5000);
  const elsewhere = await sales.listing({ priceCents: 1000 });
  const paid = await sales.buy(elsewhere.id, customer, { body: { payment_method: 'wallet' } });
  expect(paid.status).toBe(200);
  const held = await flood(
    (n) => begin('flood', keys[n % keys.length] as RegisteredAgent, '198.51.100.9'),
    () => expectServed('a customer', customer, '198.51.100.9'),
  );
  expect(held).toBe(PLACES / 5);
});

it('one key leaves room for others', async () => {
  const [hog, buyer] = [await sales.newAgent(), await sales.newAgent()];
  const held = await flood(
    (n) => begin('flood', hog, `198.51.100.${n}`),
    () => expectServed('another key', buyer, '198.51.100.1'),
  );
  expect(held).toBeLessThanOrEqual(PLACES / 4);
});

it('large queries leave room, too', async () => {
  const buyer = await sales.newAgent();
  const large = { text: 'x'.repeat(60_000) };
  const held = await flood(
    (n) => begin('flood', null, `198.51.100.${n}`, large),
    async () => {
      const bought = begin('a key', buyer, '198.51.100.1', large);
      await answer((await waitFor(({ request }) => request.query?.from === 'a key')).id, { data: {} });
      expect((await bought).status).toBe(200);
    },
  );
  expect(held).toBeLessThan(PLACES / 2);
});
