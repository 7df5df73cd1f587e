import { beforeEach, expect, it } from 'vitest';
import { createFaultWorld, PRICE } from './fault-world.ts';

// The processor charges a saved card, and its reply is lost: nobody is charged twice, and nobody for nothing.

const world = await createFaultWorld();
beforeEach(() => world.renew());
const KEY = 'one-purchase';

/** Also the questions that follow are not answered where `isDown`. */
async function loseReply(isDown: boolean) {
  const { id: listingId } = await world.listing();
  const buyer = await world.newBuyer('card');
  let isLost = false;
  world.cards.fault = ({ method }) => {
    if (isLost) return isDown ? 'lose_request' : undefined;
    isLost = method === 'chargeSaved';
    return isLost ? 'lose_reply' : undefined;
  };
  const buy = () => world.buy(listingId, buyer, { body: { payment_method: 'card' }, idempotencyKey: KEY });
  const first = await buy();
  await world.market.background.settled();
  expect(isLost).toBe(true);
  return { buyer, buy, first };
}

const paymentsFor = (purchaseId: string) =>
  world.cards.payments.filter(({ reference }) => reference?.id === purchaseId);

/** As its buyer finds it, by the key of the request whose answer was lost. */
async function found(apiKey: string) {
  const { body } = await world.request('GET', `/purchases?idempotencyKey=${KEY}`, apiKey);
  const { purchases } = body as unknown as { purchases: { id: string; status: string }[] };
  return purchases;
}

it.each([true, false])(
  'its buyer asks again, and is charged once; the processor is down: %s',
  async (isDown) => {
    const { buyer, buy, first } = await loseReply(isDown);
    if (first.status !== 200) expect(first).toMatchObject({ status: 503, body: { charged: false } });
    world.cards.fault = () => undefined;
    const answer = await world.untilAnswered(buy);
    expect(answer).toMatchObject({ status: 200, body: { status: 'held', amountCents: PRICE } });
    await world.expectAllWell();
    // Of what the first request reserved, where it was told to send another, nothing is left.
    const purchases = await found(buyer.apiKey);
    expect(purchases.map(({ id, status }) => [id === answer.body.id, status]).sort()).toEqual(
      isDown
        ? [
            [false, 'failed'],
            [true, 'released'],
          ]
        : [[true, 'released']],
    );
    const payments = purchases
      .flatMap(({ id }) => paymentsFor(id))
      .map(({ status, capturedCents }) => [status, capturedCents]);
    expect(payments.sort()).toEqual(
      isDown
        ? [
            ['canceled', 0],
            ['captured', PRICE],
          ]
        : [['captured', PRICE]],
    );
  },
);

it('nobody asks again: what was reserved goes back, and the buyer finds what became of it', async () => {
  const { buyer } = await loseReply(true);
  world.cards.fault = () => undefined;
  await world.expectAllWell();
  const [purchase, ...others] = await found(buyer.apiKey);
  expect(others).toEqual([]);
  expect(purchase?.status).toMatch(/^(failed|expired)$/);
  expect(paymentsFor(purchase?.id ?? '').filter(({ status }) => status !== 'canceled')).toEqual([]);
});
