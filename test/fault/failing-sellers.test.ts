import { replied, sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { sessionOf } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';
import { createFaultWorld, METHODS, PRICE, THE_CONTENT } from './fault-world.ts';
import { breakEverywhere, type Scenario } from './scenarios.ts';

// What a seller does wrong is never paid for: what was reserved goes back, also when giving it back is cut off
// at any step. That 10 MB are counted after decompression and that a drip runs out of time is proved of real
// connections in packages/core/src/adapters/fetch/seller-endpoint.node.test.ts; here they are what comes of it.

const world = await createFaultWorld();
const ALL_METHODS = [...METHODS, 'checkout'];
type Script = typeof world.market.sellerEndpoint.script;

const WRONG_DIGEST = `sha256:${'0'.repeat(64)}`;
const mismatch: Script = () => replied({ data: { a: 1, __sha256: WRONG_DIGEST } });

interface Order {
  readonly listingId: string;
  readonly buyer: RegisteredAgent;
  readonly ask: () => ReturnType<typeof world.buy>;
}

/** Up to where the seller is asked: a checkout is paid by then. */
async function ordered(method: string): Promise<Order> {
  const { id } = await world.listing({ listingType: 'limited', maxCopies: 1 });
  const buyer = await world.newBuyer(method);
  const options = { body: { payment_method: method }, idempotencyKey: crypto.randomUUID() };
  const ask = () => world.buy(id, buyer, options);
  if (method !== 'checkout') return { listingId: id, buyer, ask };
  const { body } = await ask();
  world.cards.payCheckout(sessionOf(body.checkoutUrl));
  return { listingId: id, buyer, ask: () => world.read(body.id, buyer) };
}

/** To events, the seller's own included, its host answers as ever. */
const failing =
  (script: Script): Script =>
  (request) =>
    (JSON.parse(request.body) as { type: string }).type === 'delivery_request'
      ? script(request)
      : sellerOf(THE_CONTENT)(request);

function undelivered(method: string, name: string, ending: RegExp): Scenario<Order> {
  return {
    name: `${name}, to be paid by ${method}`,
    prepare: () => ordered(method),
    act: ({ ask }) => ask(),
    async comeBack({ ask }) {
      const { body } = await ask();
      expect(body.content ?? null).toBeNull();
      if ('charged' in body) expect(body.charged).toBe(false);
    },
    async expectEnd({ listingId, buyer }) {
      const made = await world.purchases(listingId);
      for (const { status } of made) expect(status).toMatch(ending);
      expect(await world.sold(listingId)).toBe(0);
      if (method === 'wallet') expect(await world.balanceOf(buyer)).toBe(PRICE);
      const refunded = made.filter(({ status }) => status === 'refunded');
      const told = (await world.events(buyer.id)).filter(({ type }) => type === 'purchase.refunded');
      expect(told, 'refunds that the buyer is told of').toHaveLength(refunded.length);
      for (const { id } of made) expectGivenBackOnce(id);
    },
  };
}

/** One way back, under one key, however often it was asked for. */
function expectGivenBackOnce(purchaseId: string): void {
  const ways = world.cards.calls.flatMap(({ method, key }) =>
    key?.startsWith(`purchase:${purchaseId}:`) && /^(cancel|refund)$/.test(method) ? [key] : [],
  );
  expect(new Set(ways).size).toBeLessThanOrEqual(1);
  const [payment] = world.cards.payments.filter(({ reference }) => reference?.id === purchaseId);
  if (payment) expect([payment.status, payment.capturedCents]).toEqual(['canceled', 0]);
}

function whileSellerIs(script: Script): void {
  beforeAll(() => {
    world.market.sellerEndpoint.script = failing(script);
  });
  afterAll(() => {
    world.market.sellerEndpoint.script = sellerOf(THE_CONTENT);
  });
  // The points are counted while tests are collected.
  world.market.sellerEndpoint.script = failing(script);
}

const restore = () => {
  world.market.sellerEndpoint.script = sellerOf(THE_CONTENT);
};

describe('A __sha256 mismatch: exactly one refund, even when the refund call itself times out', async () => {
  whileSellerIs(mismatch);
  for (const method of ALL_METHODS) {
    // Where the seller's words were lost on the way, nobody knows that they were wrong.
    const ending = /^(refunded|failed|expired)$/;
    await breakEverywhere(world, undelivered(method, 'data with a wrong __sha256', ending));
  }
  restore();
});

describe('A seller that says 404: nothing is captured and the hold is released', async () => {
  const notFound: Script = () => replied('', 404);
  whileSellerIs(notFound);
  for (const method of ALL_METHODS) {
    const notSold = undelivered(method, 'a 404', /^(failed|expired)$/);
    // In the other ways it breaks as above.
    await breakEverywhere(world, { ...notSold, lasting: ['for_good'] });
  }
  restore();
});

describe('A seller that fails in any other way: nothing is captured and the hold is released', () => {
  // What may be asked for again waits for its buyer. Nobody comes, and the copy is not held for longer.
  const [over, retryable] = [/^failed$/, /^expired$/];
  const failures: [string, Script, RegExp][] = [
    ['available: false', () => replied({ available: false }), over],
    ['nothing in time, or a drip', () => ({ kind: 'timed_out' }), retryable],
    ['over 10 MB', () => ({ kind: 'too_large' }), over],
    ['invalid JSON', () => replied('{"data":'), over],
    ['a connection that breaks', () => ({ kind: 'unreachable' }), retryable],
    ['a redirect', () => ({ kind: 'redirected', status: 302 }), over],
  ];
  clause('escrow.query-then-charge');
  it.each(
    failures.flatMap(([name, script, ofCheckout]) =>
      ALL_METHODS.map((method) => ({
        name,
        script,
        method,
        ending: method === 'checkout' ? ofCheckout : over,
      })),
    ),
  )('$name, to be paid by $method', async ({ name, script, method, ending }) => {
    world.market.sellerEndpoint.script = failing(script);
    const scenario = undelivered(method, name, ending);
    const state = await scenario.prepare();
    await scenario.act(state);
    await scenario.comeBack?.(state);
    await world.expectAllWell();
    await scenario.expectEnd(state);
  });
  afterAll(restore);
});
