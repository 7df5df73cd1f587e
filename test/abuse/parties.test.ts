import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import {
  readJson,
  readWholeLedger,
  recompute,
} from '@agent-marketplace/core/testing/fixtures/demand-oracle.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { beforeAll, expect, it } from 'vitest';

// One person with many keys trades with itself, so that a listing looks bought, good and popular.

const HOUR_MS = 3600_000;
const x402 = createQueryMarketplace();
const { sales, market } = x402;

const wallet = { body: { payment_method: 'wallet' } };

beforeAll(async () => {
  const headers = { 'x-mkt-admin': TEST_ADMIN_SECRET };
  await sales.request('PATCH', '/admin/designations', null, { configured: true }, headers);
});

/** Escrow ends and the jobs had their minutes. */
async function settle(): Promise<void> {
  await sales.pass(100 * HOUR_MS);
  for (let minute = 0; minute < 2; minute += 1) await runEveryMinute(market.newPorts());
  await market.background.settled();
  market.clock.advance(6000);
}

async function partiesOf(...purchaseIds: string[]): Promise<string[]> {
  const whole = await readWholeLedger(market);
  expect(whole).toMatchObject(recompute(whole.ledger));
  return purchaseIds.map((id) => whole.ledger.find((row) => row.id === id)?.party ?? 'none');
}

async function buy(listingId: string, buyer: RegisteredAgent): Promise<string> {
  const { status, body } = await sales.buy(listingId, buyer, wallet);
  expect([status, body.code]).toEqual([200, undefined]);
  return body.id;
}

async function funded(agent: RegisteredAgent): Promise<RegisteredAgent> {
  await sales.fund(agent, 5000);
  return agent;
}

const newBuyer = async () => funded(await sales.newAgent());

async function seller(host?: string): Promise<RegisteredAgent> {
  const agent = await sales.seller();
  if (host === undefined) return agent;
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  const callback = { callbackUrl: `https://${host}/${agent.id}` };
  const { status } = await sales.request('POST', '/sell/callback', agent.apiKey, callback);
  expect(status).toBe(200);
  return agent;
}

const listed = async (by: RegisteredAgent, priceCents = 100, title = 'Hourly weather') =>
  (await sales.listing({ priceCents, title }, by)).id;

const shown = async (listingId: string) =>
  (await sales.request('GET', `/marketplace/listings/${listingId}`, null)).body as unknown as {
    seller: { reputation: number };
  };

/** Two strangers who sell each other something, and two more who deal with both. */
async function tradeBetween(one: RegisteredAgent, other: RegisteredAgent): Promise<string[]> {
  const [ofOne, ofOther] = [await listed(one), await listed(other)];
  const sold = [await buy(ofOne, other), await buy(ofOther, one)];
  const [stranger, elsewhere] = [await newBuyer(), await listed(await seller())];
  for (const id of [ofOne, ofOther, elsewhere]) await buy(id, stranger);
  for (const agent of [one, other]) await buy(elsewhere, agent);
  await settle();
  return sold;
}

it('strangers who trade with each other and with others are at arm’s length', async () => {
  const sold = await tradeBetween(await funded(await seller()), await funded(await seller()));
  expect(await partiesOf(...sold)).toEqual(['arms_length', 'arms_length']);
});

it('two keys that saved one card are one party: before, and for what they sold each other already', async () => {
  for (const isSavedFirst of [true, false]) {
    const [one, other] = [await funded(await seller()), await funded(await seller())];
    const save = async () => {
      for (const agent of [one, other])
        await sales.saveCard(agent, 'good', `fp_${agent === one}_${isSavedFirst}`);
      for (const agent of [one, other]) await sales.saveCard(agent, 'good', `fp_shared_${isSavedFirst}`);
    };
    if (isSavedFirst) await save();
    const sold = await tradeBetween(one, other);
    if (!isSavedFirst) {
      expect(await partiesOf(...sold)).toEqual(['arms_length', 'arms_length']);
      await save();
      await settle();
    }
    expect(await partiesOf(...sold)).toEqual(['self_sale', 'self_sale']);
  }
});

it('a delivery host relates up to three keys, and a shared one nobody', async () => {
  const keys = [
    await funded(await seller('small.example.com')),
    await funded(await seller('small.example.com')),
  ];
  const sold = await tradeBetween(keys[0] as RegisteredAgent, keys[1] as RegisteredAgent);
  expect(await partiesOf(...sold)).toEqual(['self_sale', 'self_sale']);
  for (let tenant = 0; tenant < 2; tenant += 1) await seller('small.example.com');
  await settle();
  expect(await partiesOf(...sold)).toEqual(['arms_length', 'arms_length']);
});

it('a key between two others makes them no party', async () => {
  const [one, bridge, other] = [
    await funded(await seller()),
    await sales.newAgent(),
    await funded(await seller()),
  ];
  await sales.saveCard(one, 'good', 'fp_one');
  await sales.saveCard(other, 'good', 'fp_other');
  for (const card of ['fp_one', 'fp_other']) await sales.saveCard(bridge, 'good', card);
  expect(await partiesOf(...(await tradeBetween(one, other)))).toEqual(['arms_length', 'arms_length']);
});

it('two keys that deal with nobody else are not at arm’s length', async () => {
  const [one, other] = [await funded(await seller()), await funded(await seller())];
  const sold = [await buy(await listed(one), other), await buy(await listed(other), one)];
  await settle();
  expect(await partiesOf(...sold)).toEqual(['unclassified', 'unclassified']);
});

it('what a wallet pays over x402 is a self-sale once its seller binds that wallet', async () => {
  const payee = await seller();
  const id = await listed(payee);
  const payer = x402.newPayer();
  expect((await x402.query(id, await x402.pay(payer, id, 2))).status).toBe(200);
  const [{ id: purchaseId } = { id: '' }] = await sales.purchases(id);
  await settle();
  expect(await partiesOf(purchaseId)).toEqual(['unclassified']);
  const bound = 'INSERT INTO payout_wallets (seller_id, chain_id, address, bound_at) VALUES (?, 84532, ?, ?)';
  const params = [payee.id, payer.address.toLowerCase(), '2026-06-01T12:00:00.000Z'];
  await market.newPorts().market.commit([{ sql: bound, params }]);
  await settle();
  expect(await partiesOf(purchaseId)).toEqual(['self_sale']);
});

it('buying from oneself moves neither reputation nor quality nor popularity, however much is paid', async () => {
  const [own, honest] = [await seller(), await seller()];
  const [bought, better] = [await listed(own, 100, 'Quokka census'), await listed(honest, 100, 'Quokka map')];
  await sales.saveCard(own, 'good', 'fp_self');
  await settle();
  const before = (await shown(bought)).seller.reputation;
  await buy(better, await newBuyer());
  for (let key = 0; key < 3; key += 1) {
    const buyer = await newBuyer();
    await sales.saveCard(buyer, 'good', 'fp_self');
    const purchase_id = await buy(bought, buyer);
    await sales.request('POST', `/marketplace/listings/${bought}/rate`, buyer.apiKey, {
      purchase_id,
      rating: 5,
    });
  }
  await settle();
  // Age alone adds a little.
  expect((await shown(bought)).seller.reputation - before).toBeLessThan(1);
  expect(await order('quokka', 'popular')).toEqual([better, bought]);
});

it('25 free keys do not move what is popular; one stranger who paid does', async () => {
  const [flooded, honest] = [
    await listed(await seller(), 0, 'Numbat census'),
    await listed(await seller(), 100, 'Numbat map'),
  ];
  await buy(honest, await newBuyer());
  for (let key = 0; key < 25; key += 1) {
    const { status } = await sales.buy(flooded, await sales.newAgent());
    expect(status).toBe(200);
    market.clock.advance(60_000);
  }
  await settle();
  expect(await order('numbat', 'popular')).toEqual([honest, flooded]);
  expect(await sales.sold(flooded)).toBe(25);
});

async function order(word: string, sort: string): Promise<string[]> {
  const { listings } = await readJson<{ listings: { id: string }[] }>(
    market,
    `/marketplace/listings?q=${word}&sort=${sort}`,
  );
  return listings.map(({ id }) => id);
}
