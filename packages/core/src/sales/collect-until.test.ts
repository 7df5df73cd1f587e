import { afterEach, describe, expect, it } from 'vitest';
import { cardWebhook } from '../compose/card-webhook.ts';
import { epochOf } from '../kernel/time.ts';
import { createSalesMarketplace, sessionOf } from '../testing/marketplace/sales-marketplace.ts';
import { collectUntilOf } from './sale-terms.rules.ts';

const sales = createSalesMarketplace();
const { market, cards } = sales;
const HOUR = 3600_000;
const DAY = 24 * HOUR;

afterEach(async () => {
  await market.background.settled();
  await sales.audit();
});

interface Collectable {
  readonly collectUntil: string | null;
}

const hoursLeft = ({ collectUntil }: Collectable) =>
  (epochOf(collectUntil ?? '') - market.clock.now()) / HOUR;

async function paidPage(present: number) {
  cards.reserveFor('present', present);
  const { id } = await sales.listing();
  const buyer = await sales.newAgent();
  const { body } = await sales.buy(id, buyer, { body: { payment_method: 'checkout' } });
  cards.payCheckout(sessionOf(body.checkoutUrl));
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
  return { listingId: id, buyer, purchaseId: body.id };
}

describe('how long a reservation can be collected', () => {
  it.each([7, 4.75, 2])('a page paid by a card that keeps it for %d days: an hour less', async (days) => {
    const { listingId, buyer, purchaseId } = await paidPage(days * DAY);
    const { body } = await sales.read(purchaseId, buyer, 'omit');
    expect(hoursLeft(body as unknown as Collectable)).toBeCloseTo(days * 24 - 1, 1);
    await sales.pass(days * DAY - 2 * HOUR, 4);
    expect((await sales.purchases(listingId))[0]?.status).toBe('authorized');
    await sales.pass(1.5 * HOUR);
    expect((await sales.purchases(listingId))[0]?.status).toBe('expired');
  });

  it('reserved in bulk: each item as its card says, the answer as the first that ends', async () => {
    cards.reserveFor('offSession', 3 * DAY);
    const { id } = await sales.listing();
    const free = await sales.listing({ priceCents: 0 });
    const buyer = await sales.newAgent();
    await sales.saveCard(buyer);
    const { body } = await sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, {
      listing_ids: [id, free.id],
      payment_method: 'card',
    });
    const bulk = body as unknown as Collectable & { items: (Collectable & { listingId: string })[] };
    const byListing = new Map(bulk.items.map((item) => [item.listingId, hoursLeft(item)]));
    expect(byListing.get(id)).toBeCloseTo(71, 1);
    expect(byListing.get(free.id)).toBeCloseTo(6 * 24, 1);
    expect(hoursLeft(bulk)).toBeCloseTo(71, 1);
    const read = await sales.read((await sales.purchases(id))[0]?.id ?? '', buyer, 'omit');
    expect(hoursLeft(read.body as unknown as Collectable)).toBeCloseTo(71, 1);
    await sales.pass(71.1 * HOUR, 4);
    expect((await sales.purchases(id))[0]?.status).toBe('expired');
    expect((await sales.purchases(free.id))[0]?.status).toBe('authorized');
  });

  it('leaves time to capture, and is never in the past', () => {
    const now = market.clock.now();
    expect(epochOf(collectUntilOf(now + 2 * HOUR, now))).toBe(now + HOUR);
    expect(epochOf(collectUntilOf(now + HOUR / 2, now))).toBe(now);
    expect(epochOf(collectUntilOf(null, now))).toBe(now + 6 * DAY);
  });
});
