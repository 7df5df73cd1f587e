import { afterEach, describe, expect, it } from 'vitest';
import { cardWebhook } from '../../packages/core/src/compose/card-webhook.ts';
import { forgetCopyHolds } from '../../packages/core/src/sales/index.ts';
import { sellerOf } from '../../packages/core/src/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '../../packages/core/src/testing/fixtures/new-seller.ts';
import {
  createSalesMarketplace,
  sessionOf,
} from '../../packages/core/src/testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

afterEach(async () => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  cards.payWith(null);
  await market.background.settled();
  await sales.audit();
});

const openPage = (listingId: string, buyer: RegisteredAgent | null) =>
  sales.buy(listingId, buyer, { body: { payment_method: 'checkout' } });

async function pay(checkoutUrl: unknown): Promise<void> {
  cards.payCheckout(sessionOf(checkoutUrl));
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
}

/** A page of an exclusive listing that is paid and left alone. */
async function holdOne(buyer: RegisteredAgent | null) {
  const { id } = await sales.listing({ listingType: 'exclusive' });
  const { status, body } = await openPage(id, buyer);
  if (status !== 200) return { listingId: id, status, body };
  await pay(body.checkoutUrl);
  return { listingId: id, status, body };
}

const statusOf = async (listingId: string) => (await sales.purchases(listingId))[0]?.status;

describe('a copy that is paid for on a page', () => {
  it('is held for half an hour; then the money is let go, the buyer is told, and others can buy it', async () => {
    const buyer = await sales.newAgent({ name: 'Slow', callbackUrl: 'https://buyer.example.com/events' });
    market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
    const { listingId, body } = await holdOne(buyer);
    await sales.pass(28 * MINUTE, 4);
    expect([await statusOf(listingId), await sales.sold(listingId)]).toEqual(['authorized', 1]);
    await sales.pass(4 * MINUTE, 4);
    expect([await statusOf(listingId), await sales.sold(listingId)]).toEqual(['expired', 0]);
    expect((await sales.events(buyer.id)).map(({ type }) => type)).toContain('purchase.expired');
    const { payment_id } = await sales.payment(body.id);
    expect(await cards.getPayment(String(payment_id))).toMatchObject({
      status: 'canceled',
      capturedCents: 0,
    });
  });

  it('is forgotten two days after it ended, and not before', async () => {
    const kept = async (listingId: string) =>
      (
        await sales.rows(
          'SELECT purchase_id FROM copy_holds JOIN purchases ON id = purchase_id WHERE listing_id = ?',
          listingId,
        )
      ).length;
    const { listingId } = await holdOne(await sales.newAgent());
    await sales.pass(31 * MINUTE, 2);
    market.clock.advance(2 * DAY - 2 * MINUTE);
    await forgetCopyHolds(market.newPorts());
    expect(await kept(listingId)).toBe(1);
    market.clock.advance(2 * MINUTE);
    await forgetCopyHolds(market.newPorts());
    expect(await kept(listingId)).toBe(0);
  });

  it('is held as long as the money where copies are not scarce', async () => {
    const { id } = await sales.listing();
    const { body } = await openPage(id, await sales.newAgent());
    await pay(body.checkoutUrl);
    await sales.pass(DAY, 4);
    expect(await statusOf(id)).toBe('authorized');
  });
});

describe('who lets copies lapse', () => {
  it('two: no third for a day, told when, and again afterwards', async () => {
    const buyer = await sales.newAgent();
    for (let count = 0; count < 2; count++) {
      const { listingId } = await holdOne(buyer);
      await sales.pass(31 * MINUTE, 2);
      expect(await statusOf(listingId)).toBe('expired');
    }
    const third = await holdOne(buyer);
    expect([third.status, third.body.code]).toEqual([429, 'copy_holds_limited']);
    const { headers } = await openPage(third.listingId, buyer);
    const waitSeconds = Number(headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(23 * 3600);
    await sales.pass(waitSeconds * 1000, 2);
    expect((await holdOne(buyer)).status).toBe(200);
  });

  it('many keys and no key, one card: the third copy is not held, and nothing is charged', async () => {
    cards.payWith('one card');
    for (let count = 0; count < 2; count++) {
      const { listingId } = await holdOne(count === 0 ? await sales.newAgent() : null);
      await sales.pass(31 * MINUTE, 2);
      expect(await statusOf(listingId)).toBe('expired');
    }
    const { listingId, body } = await holdOne(await sales.newAgent());
    expect([await statusOf(listingId), await sales.sold(listingId)]).toEqual(['failed', 0]);
    const { payment_id } = await sales.payment(body.id);
    expect(await cards.getPayment(String(payment_id))).toMatchObject({
      status: 'canceled',
      capturedCents: 0,
    });
    cards.payWith('another card');
    expect(await statusOf((await holdOne(await sales.newAgent())).listingId)).toBe('authorized');
  });

  it('many pages paid at once: two copies are held, until they are collected', async () => {
    const buyer = await sales.newAgent();
    const pages = [];
    for (let count = 0; count < 4; count++) {
      const { id } = await sales.listing({ listingType: 'exclusive' });
      pages.push({ id, body: (await openPage(id, buyer)).body });
    }
    for (const { body } of pages) cards.payCheckout(sessionOf(body.checkoutUrl));
    const reports = await cards.takeWebhooks();
    await Promise.all(
      reports.map(({ rawBody, signatureHeader }) =>
        cardWebhook.take(market.newPorts(), rawBody, signatureHeader),
      ),
    );
    const statuses = await Promise.all(pages.map(({ id }) => statusOf(id)));
    expect(statuses.filter((status) => status === 'authorized')).toHaveLength(2);
    expect(statuses.filter((status) => status === 'failed')).toHaveLength(2);
    for (const [index, { body }] of pages.entries())
      if (statuses[index] === 'authorized')
        expect((await sales.read(body.id, buyer)).body.status).toBe('held');
    expect(await statusOf((await holdOne(buyer)).listingId)).toBe('authorized');
  });

  it('a seller that failed when it was asked is no lapse', async () => {
    const buyer = await sales.newAgent();
    for (let count = 0; count < 3; count++) {
      market.sellerEndpoint.script = sellerOf({ answer: 42 });
      const { listingId, body, status } = await holdOne(buyer);
      expect(status).toBe(200);
      market.sellerEndpoint.script = () => ({ kind: 'timed_out' });
      expect((await sales.read(body.id, buyer)).status).toBe(504);
      await sales.pass(31 * MINUTE, 2);
      expect(await statusOf(listingId)).toBe('expired');
    }
  });
});
