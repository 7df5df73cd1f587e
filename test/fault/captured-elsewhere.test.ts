import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { sellerOf } from '@agent-marketplace/core/testing/fake-seller-endpoint.ts';
import { sessionOf } from '@agent-marketplace/core/testing/sales-marketplace.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFaultWorld, PRICE } from './fault-world.ts';

// What finance captures or cancels in the processor's dashboard, before anybody collected the purchase.

const world = await createFaultWorld();
beforeEach(() => world.renew());
const DAY_MS = 24 * 3600_000;

async function hear(): Promise<void> {
  for (const { rawBody, signatureHeader } of await world.cards.takeWebhooks())
    await cardWebhook.take(world.market.newPorts(), rawBody, signatureHeader);
}

const lose = async () => void (await world.cards.takeWebhooks());

/** Paid on a page, and waiting to be collected. */
async function authorized() {
  const { id } = await world.listing();
  const buyer = await world.newAgent();
  const { body } = await world.buy(id, buyer, { body: { payment_method: 'checkout' } });
  world.cards.payCheckout(sessionOf(body.checkoutUrl));
  await hear();
  expect(await world.statusOf(body.id)).toBe('authorized');
  const payment = world.cards.payments.find(({ reference }) => reference?.id === body.id);
  return { purchaseId: body.id, buyer, paymentId: payment?.paymentId ?? '' };
}

const seen = (paymentId: string) => world.cards.payments.find((one) => one.paymentId === paymentId);

describe.each([
  ['the webhook came', hear],
  ['the webhook was lost', lose],
])('captured in the dashboard before it was collected: %s', (_name, told) => {
  it('the buyer collects it: it is paid once, and delivered', async () => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await told();
    const { body } = await world.read(bought.purchaseId, bought.buyer);
    expect(body).toMatchObject({ status: 'held' });
    expect(body.content).not.toBeNull();
    await world.expectAllWell();
    expect(seen(bought.paymentId)).toMatchObject({
      status: 'captured',
      capturedCents: PRICE,
      refundedCents: 0,
    });
  });

  it('nobody collects it: it is owed, and refunded', async () => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await told();
    world.market.clock.advance(8 * DAY_MS);
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toBe('refunded');
    expect(seen(bought.paymentId)).toMatchObject({ capturedCents: PRICE, refundedCents: PRICE });
  });

  it('the seller has nothing for it: it is refunded at once', async () => {
    const bought = await authorized();
    world.cards.dashboard.capture(bought.paymentId);
    await told();
    const script = world.market.sellerEndpoint.script;
    world.market.sellerEndpoint.script = sellerOf(null);
    await world.read(bought.purchaseId, bought.buyer);
    world.market.sellerEndpoint.script = script;
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toBe('refunded');
    expect(seen(bought.paymentId)).toMatchObject({ refundedCents: PRICE });
  });
});

describe.each([
  ['the webhook came', hear],
  ['the webhook was lost', lose],
])('cancelled in the dashboard before it was collected: %s', (_name, told) => {
  it('it ends uncharged, and nothing is shown', async () => {
    const bought = await authorized();
    world.cards.dashboard.cancel(bought.paymentId);
    await told();
    const { body } = await world.read(bought.purchaseId, bought.buyer);
    expect(body.content ?? null).toBeNull();
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toMatch(/^(expired|failed)$/);
    expect(seen(bought.paymentId)).toMatchObject({ status: 'canceled', capturedCents: 0 });
  });

  it('nobody asks for it: it ends by itself', async () => {
    const bought = await authorized();
    world.cards.dashboard.cancel(bought.paymentId);
    await told();
    world.market.clock.advance(8 * DAY_MS);
    await world.expectAllWell();
    expect(await world.statusOf(bought.purchaseId)).toMatch(/^(expired|failed)$/);
  });
});
