import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { createSigner } from '../adapters/keys/keyring.ts';
import { cardWebhook } from '../compose/card-webhook.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { createQueryMarketplace } from '../testing/marketplace/query-marketplace.ts';
import { sessionOf } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_VARIABLES } from '../testing/marketplace/test-bindings.ts';

// What no receipt can be made of is not charged, on any rail, and what was reserved for it ends given back.

let unsigned = 0;
const keyring = createSigner(TEST_VARIABLES.SIGNING_KEY);
/** Fails as often as it is told to. What is signed first of a purchase is its receipt. */
const signer: Signer = {
  ...keyring,
  async signDigest(digest, signedAt) {
    if (unsigned > 0) {
      unsigned -= 1;
      throw new Error('The key is out of reach.');
    }
    return keyring.signDigest(digest, signedAt);
  },
};
const x402 = createQueryMarketplace({ signer });
const { sales, market, chain } = x402;
const { cards } = sales;
const DAY = 24 * 3600_000;
const answering = sellerOf({ answer: 42 });
market.sellerEndpoint.script = answering;

afterEach(async () => {
  expect(unsigned).toBe(0);
  market.sellerEndpoint.script = answering;
  await market.background.settled();
  await sales.audit();
});

/** While a purchase is delivered, its receipt cannot be signed. */
const breakOnce = () => {
  market.sellerEndpoint.script = (request) => {
    unsigned = 1;
    return answering(request);
  };
};
const heal = () => {
  market.sellerEndpoint.script = answering;
};
const capturedOf = (amountCents: number) =>
  cards.payments.filter((payment) => payment.amountCents === amountCents).map(({ status }) => status);

async function tell(): Promise<void> {
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
}

describe('a receipt that cannot be signed', () => {
  it('free: nothing is recorded', async () => {
    const { id } = await sales.listing({ priceCents: 0 });
    breakOnce();
    expect((await sales.buy(id, null)).status).toBe(500);
    expect([await sales.purchases(id), await sales.sold(id)]).toEqual([[], 0]);
  });

  it('wallet: the credits come back', async () => {
    const { id } = await sales.listing({ priceCents: 1000, listingType: 'limited', maxCopies: 1 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 1000);
    breakOnce();
    expect((await sales.buy(id, buyer, { body: { payment_method: 'wallet' } })).status).toBe(500);
    expect((await sales.purchases(id)).map(({ status }) => status)).toEqual(['failed']);
    expect([await sales.balanceOf(buyer), await sales.sold(id)]).toEqual([1000, 0]);
    heal();
    expect((await sales.buy(id, buyer, { body: { payment_method: 'wallet' } })).body.status).toBe('held');
  });

  it('card: nothing is captured', async () => {
    const { id } = await sales.listing({ priceCents: 1111 });
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    breakOnce();
    expect((await sales.buy(id, buyer, { body: { payment_method: 'card' } })).status).toBe(500);
    expect((await sales.purchases(id)).map(({ status }) => status)).toEqual(['failed']);
    expect(capturedOf(1111)).toEqual(['canceled']);
  });

  it.each([
    ['once: it is collected by the next try', 1, 'held', 'captured'],
    [
      'ever: what was paid is given back when its time is over',
      Number.POSITIVE_INFINITY,
      'expired',
      'canceled',
    ],
  ])('checkout, %s', async (_, times, ending, payment) => {
    const priceCents = times === 1 ? 2221 : 2222;
    const { id } = await sales.listing({ priceCents });
    const buyer = await sales.newAgent();
    const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
    cards.payCheckout(sessionOf(body.checkoutUrl));
    await tell();
    breakOnce();
    expect([(await sales.read(body.id, buyer)).status, capturedOf(priceCents)]).toEqual([
      500,
      ['authorized'],
    ]);
    if (times === 1) {
      heal();
      await sales.read(body.id, buyer);
    } else {
      await sales.pass(3600_000);
      expect((await sales.read(body.id, buyer)).status).toBe(500);
      await sales.pass(8 * DAY, 16);
    }
    expect((await sales.purchases(id)).map(({ status }) => status)).toEqual([ending]);
    expect(capturedOf(priceCents)).toEqual([payment]);
  });

  it('an accepted offer and one of many, from the wallet: it comes back when its time is over', async () => {
    const exclusive = await sales.listing({ priceCents: 5000, listingType: 'exclusive' });
    const { id } = await sales.listing({ priceCents: 300 });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 2000);
    const path = `/marketplace/listings/${exclusive.id}/offers`;
    const offer = await sales.request('POST', path, buyer.apiKey, { amountCents: 700 });
    await sales.request('POST', `/sell/offers/${offer.body.id}/accept`, exclusive.seller.apiKey, {});
    await sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, { listing_ids: [id] });
    const reserved = [...(await sales.purchases(exclusive.id)), ...(await sales.purchases(id))];
    expect(reserved.map(({ status }) => status)).toEqual(['authorized', 'authorized']);
    breakOnce();
    for (const one of reserved) expect((await sales.read(one.id, buyer)).status).toBe(500);
    await sales.pass(8 * DAY, 16);
    expect((await sales.purchases(exclusive.id))[0]?.status).toBe('expired');
    expect((await sales.purchases(id))[0]?.status).toBe('expired');
    expect([await sales.balanceOf(buyer), await sales.sold(exclusive.id)]).toEqual([2000, 0]);
  });

  it('x402: no transfer is settled, and the same payment buys once it can be signed', async () => {
    const { id } = await sales.listing({ priceCents: 100 });
    const payer = x402.newPayer(1_000_000n);
    const headers = await x402.pay(payer, id, 2);
    breakOnce();
    expect((await x402.query(id, headers)).status).toBe(500);
    expect((await sales.purchases(id)).map(({ status }) => status)).toEqual(['failed']);
    expect(chain.balanceOf(payer.address)).toBe(1_000_000n);
    heal();
    expect((await x402.query(id, headers)).status).toBe(200);
    expect(chain.balanceOf(payer.address)).toBe(0n);
  });
});

describe('a query that no receipt can name, of a purchase from when it was taken', () => {
  const NO_FORM = '{"q":"\\ud800"}';
  const spoil = (listingId: string) =>
    market
      .newPorts()
      .market.commit([
        { sql: 'UPDATE purchases SET query = ? WHERE listing_id = ?', params: [NO_FORM, listingId] },
      ]);

  it('x402, settled: it is asked for again for a day, told to the operator, and then goes back', async () => {
    const { id } = await sales.listing({ priceCents: 100, listingType: 'limited', maxCopies: 1 });
    const payer = x402.newPayer(1_000_000n);
    const headers = await x402.pay(payer, id, 2);
    // Delivered and settled, and nobody could write it down.
    market.market.fault = (sql) =>
      sql.some((one) => one.includes('"delivered_count" + 1')) ? 'lose_request' : undefined;
    expect((await x402.query(id, headers)).status).toBe(503);
    await x402.heal();
    await spoil(id);
    expect((await x402.query(id, headers)).body).toMatchObject({ code: 'settlement_pending', charged: true });
    await sales.pass(DAY / 2, 20);
    expect((await sales.purchases(id)).map(({ status }) => status)).toEqual(['authorized']);
    expect(chain.balanceOf(payer.address)).toBe(0n);
    await sales.pass(DAY, 40);
    expect((await sales.purchases(id)).map(({ status }) => status)).toEqual(['refunded']);
    expect([chain.balanceOf(payer.address), await sales.sold(id)]).toEqual([1_000_000n, 0]);
    expect(market.log.lines.map(({ event }) => event)).toContain('sale_not_recordable');
    expect((await x402.query(id, headers)).body.code).toBe('payment_spent');
    await sales.pass(2 * DAY, 10);
    expect(chain.balanceOf(payer.address)).toBe(1_000_000n);
  });

  it('is left out of the purchase, which is answered all the same', async () => {
    const { id } = await sales.listing({ priceCents: 0 });
    const buyer = await sales.newAgent();
    const { body } = await sales.buy(id, buyer, { body: { query: { q: 'x' } } });
    await spoil(id);
    const { status, body: read } = await sales.read(body.id, buyer);
    expect([status, read.status, (read as unknown as { query: unknown }).query]).toEqual([
      200,
      'released',
      null,
    ]);
  });

  it('is refused before it is reserved, whoever let it through', async () => {
    const { id, seller } = await sales.listing({ priceCents: 5000, listingType: 'exclusive' });
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 6000);
    const path = `/marketplace/listings/${id}/offers`;
    const offer = await sales.request('POST', path, buyer.apiKey, { amountCents: 5000, query: { q: 'x' } });
    await market
      .newPorts()
      .market.commit([{ sql: 'UPDATE offers SET query = ? WHERE listing_id = ?', params: [NO_FORM, id] }]);
    const accepting = `/sell/offers/${offer.body.id}/accept`;
    const { status, body } = await sales.request('POST', accepting, seller.apiKey, {});
    expect([status, body.code]).toEqual([400, 'query_not_accepted']);
    expect([await sales.purchases(id), await sales.balanceOf(buyer)]).toEqual([[], 6000]);
  });
});
