import { expect, it } from 'vitest';
import { weighBuyers } from '../agents/index.ts';
import { cardWebhook } from '../compose/card-webhook.ts';
import { sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { measureListings } from './measure-listings.ts';

// A bank that takes back what paid for a sale, or a refund that finance makes elsewhere, is between the buyer, the bank and
// the platform: what the seller did stays as it was counted, or whoever has a stolen card could ruin its name.

const sales = createSalesMarketplace();
const { market, cards } = sales;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PRICE = 1000;
/** As many as a measure takes to be shown. */
const SALES = 5;

async function settle(): Promise<void> {
  for (const { rawBody, signatureHeader } of await cards.takeWebhooks())
    await cardWebhook.take(market.newPorts(), rawBody, signatureHeader);
  await market.background.settled();
  market.clock.advance(11 * MINUTE);
  await measureListings(market.newPorts());
  await weighBuyers(market.newPorts());
}

/** All that tells strangers how a seller does. */
async function qualityOf({ id, seller }: { readonly id: string; readonly seller: { readonly id: string } }) {
  await settle();
  const { body } = await sales.request('GET', `/marketplace/listings/${id}`, null);
  const { listing } = body as unknown as { listing: Record<string, unknown> };
  const { measuredAt, ...measured } = listing.measured as Record<string, unknown>;
  const counts = await sales.rows(
    `SELECT delivered_count, delivered_days, failed_count, refused_days, delivered_weight, failed_weight
      FROM sellers WHERE agent_id = ?`,
    seller.id,
  );
  const days = await sales.rows(
    'SELECT attempts, delivered, failed FROM quality_days WHERE listing_id = ?',
    id,
  );
  const { purchaseCount, sellerReputation, soldCount } = listing;
  return { measured, counts, days, purchaseCount, sellerReputation, soldCount };
}

interface Way {
  readonly method: 'card' | 'wallet';
  readonly fulfilment?: 'physical';
  readonly isPaidOut?: true;
  readonly take: (paymentId: string) => void;
  /** Of the sales, in the end. */
  readonly status: string;
}

function lose(paymentId: string): void {
  cards.closeDispute(cards.disputePayment(paymentId), 'lost');
}

const WAYS: Record<string, Way> = {
  'by the bank, in escrow': { method: 'card', take: lose, status: 'refunded' },
  'by the bank, once the seller was paid': {
    method: 'card',
    isPaidOut: true,
    take: lose,
    status: 'released',
  },
  'by the bank, before the time for its shipment is over': {
    method: 'card',
    fulfilment: 'physical',
    take: lose,
    status: 'refunded',
  },
  'by the bank, with the top-up that paid for it': { method: 'wallet', take: lose, status: 'refunded' },
  'by finance, in the dashboard': {
    method: 'card',
    take: (paymentId) => void cards.dashboard.refund(paymentId, PRICE),
    status: 'refunded',
  },
};

it.each(Object.entries(WAYS))('is no failure of the seller: %s', async (_name, way) => {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });
  const { method, fulfilment = 'digital', isPaidOut, take, status } = way;
  const listing = await sales.listing({ priceCents: PRICE, fulfilment });
  const buyer = await sales.newAgent();
  if (method === 'card') await sales.saveCard(buyer, 'available_at_once');
  else await sales.fund(buyer, SALES * PRICE);
  const before = cards.payments.length - (method === 'wallet' ? 1 : 0);
  for (let n = 0; n < SALES; n += 1)
    expect((await sales.buy(listing.id, buyer, { body: { payment_method: method } })).body.status).toBe(
      'held',
    );
  if (isPaidOut) await sales.pass(4 * DAY, 8);
  const quality = await qualityOf(listing);
  expect(quality).toMatchObject({ measured: { samples: SALES, buyers30d: 1 }, purchaseCount: SALES });
  for (const { paymentId } of cards.payments.slice(before)) take(paymentId);
  await settle();
  await sales.pass(20 * DAY, 8);
  const sold = await sales.purchases(listing.id);
  expect(sold.map((one) => one.status)).toEqual(Array.from({ length: SALES }, () => status));
  const { sellerReputation, ...rest } = await qualityOf(listing);
  const { sellerReputation: reputationBefore, ...restBefore } = quality;
  expect(rest).toEqual(restBefore);
  // It only ages.
  expect(sellerReputation).toBeGreaterThanOrEqual(Number(reputationBefore));
  await sales.audit();
});
