import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { beforeAll, expect, it } from 'vitest';

const DAY_MS = 24 * 3_600_000;
const FROM_ONE_SENDER = 100;
const sales = createSalesMarketplace();

let victim: RegisteredAgent;
let customer: RegisteredAgent;
let patron: RegisteredAgent;
let supplier: RegisteredAgent;
let taker: RegisteredAgent;

const paid = { body: { payment_method: 'wallet' } };

async function buy(listingId: string, buyer: RegisteredAgent, options = {}): Promise<void> {
  const { status, body } = await sales.buy(listingId, buyer, options);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

async function write(sender: RegisteredAgent): Promise<number | string | undefined> {
  const path = `/agents/${victim.connect.handle}/messages`;
  const { status, body } = await sales.request('POST', path, sender.apiKey, { text: 'Hello' });
  return status === 201 ? status : body.code;
}

async function newKeyOf(address: string): Promise<RegisteredAgent> {
  const from = { 'cf-connecting-ip': address };
  const { body } = await sales.request('POST', '/agents/register', null, { name: 'Ada' }, from);
  return body as unknown as RegisteredAgent;
}

/** 20 new keys of so many networks send 100 messages each, or until they are refused. Returns how many were taken. */
async function flood(
  networks: number,
  prepare: (agent: RegisteredAgent) => Promise<void> = async () => {},
): Promise<number> {
  let taken = 0;
  for (let key = 0; key < 20; key += 1) {
    const agent = await newKeyOf(`203.0.113.${key % networks}`);
    await prepare(agent);
    for (let n = 0; n < FROM_ONE_SENDER && (await write(agent)) === 201; n += 1) taken += 1;
    // The windows of the rate limits pass: they would refuse what this is about.
    sales.market.clock.advance(60_000);
  }
  return taken;
}

beforeAll(async () => {
  const seller = await sales.seller();
  victim = seller;
  customer = await sales.newAgent();
  patron = await sales.newAgent();
  taker = await sales.newAgent();
  await sales.fund(customer, 5000);
  await sales.fund(patron, 5000);
  await buy((await sales.listing({}, seller)).id, customer, paid);
  await buy((await sales.listing()).id, patron, paid);
  const shop = await sales.seller();
  supplier = shop;
  await buy((await sales.listing({ priceCents: 0 }, shop)).id, victim);
  await buy((await sales.listing({ priceCents: 0 }, seller)).id, taker);
});

it('new keys of some networks leave room in the fifth of an inbox that is for such keys, and all other room', async () => {
  expect(await flood(20)).toBeLessThan(400);
  expect(await write(await newKeyOf('203.0.113.0'))).toBe('inbox_full');
  for (const sender of [customer, supplier, patron, taker, await newKeyOf('198.51.100.1')])
    expect(await write(sender)).toBe(201);
  sales.market.clock.advance(DAY_MS);
  expect(await write(await newKeyOf('203.0.113.0'))).toBe(201);
});

it('neither do they have more after taking what the recipient gives away', async () => {
  sales.market.clock.advance(DAY_MS);
  const { id } = await sales.listing({ priceCents: 0 }, victim);
  expect(await flood(1, (agent) => buy(id, agent))).toBe(150);
  for (const sender of [customer, supplier, patron, taker, await newKeyOf('198.51.100.1')])
    expect(await write(sender)).toBe(201);
});

it('whoever dealt with the recipient still leaves no more than one sender may', async () => {
  sales.market.clock.advance(DAY_MS);
  for (let n = 0; n < FROM_ONE_SENDER; n += 1) {
    expect(await write(customer)).toBe(201);
    sales.market.clock.advance(1000);
  }
  expect(await write(customer)).toBe('inbox_full');
});
