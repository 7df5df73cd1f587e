import type { RegisteredAgent } from '@agent-marketplace/core/testing/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/sales-marketplace.ts';
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

/** As many new keys as fill the whole of an inbox with messages. */
async function flood(prepare: (agent: RegisteredAgent) => Promise<void> = async () => {}): Promise<void> {
  for (let key = 0; key < 20; key += 1) {
    const agent = await sales.newAgent();
    await prepare(agent);
    for (let n = 0; n < FROM_ONE_SENDER; n += 1) await write(agent);
    // The windows of the rate limits pass: they would refuse what this is about.
    sales.market.clock.advance(60_000);
  }
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

it('keys that never paid fill their own share of an inbox, and no room of anybody else', async () => {
  await flood();
  expect(await write(await sales.newAgent())).toBe('inbox_full');
  for (const sender of [customer, supplier, patron, taker]) expect(await write(sender)).toBe(201);
  sales.market.clock.advance(DAY_MS);
  expect(await write(await sales.newAgent())).toBe(201);
});

it('neither do they after taking what the recipient gives away', async () => {
  const { id } = await sales.listing({ priceCents: 0 }, victim);
  await flood((agent) => buy(id, agent));
  expect(await write(taker)).toBe('inbox_full');
  for (const sender of [customer, supplier, patron, await sales.newAgent()])
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
