import { afterEach, describe, expect, it } from 'vitest';
import { sellerOf } from '../../testing/fake-seller-endpoint.ts';
import { AS_OPERATOR } from '../../testing/new-inquiry.ts';
import type { RegisteredAgent } from '../../testing/new-seller.ts';
import { createSalesMarketplace, sessionOf } from '../../testing/sales-marketplace.ts';
import { reportCheckout } from '../index.ts';
import { type ModerationCause, saleEffect } from './sale-effect.rules.ts';

// What becomes of a sale at every state, on the rails that a buyer chooses, when its listing is blocked or one of its
// parties suspended.

const sales = createSalesMarketplace();
const { market, cards } = sales;
market.sellerEndpoint.script = sellerOf({ answer: 42 });
const HOUR = 3600_000;
const PRICE = 1000;

afterEach(async () => {
  cards.fault = () => undefined;
  await market.background.settled();
  await sales.audit();
});

interface Open {
  readonly purchaseId: string;
  readonly listingId: string;
  readonly seller: RegisteredAgent;
  readonly buyer: RegisteredAgent;
  readonly rail: Rail;
}

const RAILS = ['wallet', 'card', 'checkout'] as const;
type Rail = (typeof RAILS)[number];

async function begin(rail: Rail) {
  const seller = await sales.seller();
  const { id: listingId } = await sales.listing(
    { priceCents: PRICE, listingType: 'limited', maxCopies: 3 },
    seller,
  );
  const buyer = await sales.newAgent();
  if (rail === 'wallet') await sales.fund(buyer, 2000);
  if (rail === 'card') await sales.saveCard(buyer, 'available_at_once');
  return { seller, listingId, buyer, rail };
}

/** A page that nobody paid yet. */
async function pending(): Promise<Open> {
  const place = await begin('checkout');
  const { body } = await sales.buy(place.listingId, place.buyer, { body: { payment_method: 'checkout' } });
  return { ...place, purchaseId: body.id };
}

/** Paid on a page or reserved in bulk, and not collected. */
async function authorized(rail: Rail): Promise<Open> {
  if (rail === 'checkout') {
    const place = await pending();
    const [row] = await sales.rows<{ url: string }>(
      'SELECT checkout_url AS url FROM checkout_payments WHERE purchase_id = ?',
      place.purchaseId,
    );
    const sessionId = sessionOf(row?.url ?? '');
    cards.payCheckout(sessionId);
    await reportCheckout(market.newPorts(), { sessionId });
    return place;
  }
  const seller = await sales.seller();
  const { id: listingId } = await sales.listing({ priceCents: PRICE }, seller);
  const buyer = await sales.newAgent();
  if (rail === 'wallet') await sales.fund(buyer, 2000);
  else await sales.saveCard(buyer, 'available_at_once');
  const body = { listing_ids: [listingId], payment_method: rail };
  const answer = await sales.request('POST', '/marketplace/purchases/bulk', buyer.apiKey, body);
  const [item] = (answer.body as unknown as { items: { purchaseId: string }[] }).items;
  return { seller, listingId, buyer, rail, purchaseId: item?.purchaseId ?? '' };
}

async function held(rail: Rail): Promise<Open> {
  if (rail === 'checkout') {
    const place = await authorized(rail);
    expect((await sales.read(place.purchaseId, place.buyer)).body.status).toBe('held');
    return place;
  }
  const place = await begin(rail);
  const { body } = await sales.buy(place.listingId, place.buyer, { body: { payment_method: rail } });
  return { ...place, purchaseId: body.id };
}

/** Its transfer is under way: nobody knows yet how it went. */
async function releasing(rail: Rail): Promise<Open> {
  const place = await held(rail);
  cards.fault = ({ method }) => (method === 'transfer' ? 'lose_request' : undefined);
  await sales.pass(73 * HOUR);
  cards.fault = () => undefined;
  return place;
}

const STATES = { pending_payment: pending, authorized, held, releasing } as const;
type State = keyof typeof STATES;

async function act(
  cause: ModerationCause,
  { listingId, seller, buyer }: Open,
  isLifted = false,
): Promise<void> {
  const decision = isLifted ? { reason: 'A mistake.' } : { rule: 'deception', reason: 'Lies.' };
  const path =
    cause === 'listing_blocked'
      ? `/admin/listings/${listingId}/block`
      : `/admin/agents/${cause === 'seller_suspended' ? seller.id : buyer.id}/suspension`;
  const flag = cause === 'listing_blocked' ? 'blocked' : 'suspended';
  const { status } = await sales.request('POST', path, null, { [flag]: !isLifted, ...decision }, AS_OPERATOR);
  expect(status).toBe(200);
}

async function statusOf({ purchaseId }: Open): Promise<string | undefined> {
  const [row] = await sales.rows<{ status: string }>('SELECT status FROM purchases WHERE id = ?', purchaseId);
  return row?.status;
}

async function runJobs(): Promise<void> {
  market.clock.advance(61_000);
  await sales.finish();
  await sales.clock();
  await market.background.settled();
}

/** Whoever paid has all of it back, and its copy is free. */
async function expectGivenBack(open: Open): Promise<void> {
  expect(await sales.sold(open.listingId)).toBe(0);
  if (open.rail === 'wallet') expect(await sales.balanceOf(open.buyer)).toBe(2000);
  const [row] = await sales.rows<{ taken: number }>(
    'SELECT captured_cents - refunded_cents AS taken FROM payments WHERE purchase_id = ?',
    open.purchaseId,
  );
  expect(row?.taken).toBe(0);
}

const CAUSES = ['listing_blocked', 'seller_suspended', 'buyer_suspended'] as const;
const CELLS = CAUSES.flatMap((cause) =>
  (Object.keys(STATES) as State[]).flatMap((state) =>
    (state === 'pending_payment' ? (['checkout'] as const) : RAILS).map((rail) => ({
      cause,
      state,
      rail,
      effect: saleEffect(cause, state),
    })),
  ),
);

describe('a sale', () => {
  it.each(CELLS)('that is $state by $rail, then $cause: $effect', async ({ cause, state, rail, effect }) => {
    const open = await STATES[state](rail);
    expect(await statusOf(open)).toBe(state);
    await act(cause, open);
    await runJobs();
    switch (effect) {
      case 'cancel':
        expect(await statusOf(open)).toBe('expired');
        await expectGivenBack(open);
        return;
      case 'hold':
        await sales.pass(300 * HOUR);
        expect(await statusOf(open)).toBe('held');
        await act(cause, open, true);
        await sales.pass(2 * HOUR);
        expect(await statusOf(open)).toBe('released');
        return;
      case 'continue':
        if (state === 'authorized') {
          const { body } = await sales.read(open.purchaseId, open.buyer);
          expect(body).toMatchObject({ status: 'held', content: { answer: 42 } });
        }
        await sales.pass(80 * HOUR);
        expect(await statusOf(open)).toBe('released');
    }
  });

  it.each(RAILS)(
    'paid by %s and not collected: its buyer is told, and the seller is not asked',
    async (rail) => {
      for (const [cause, code] of [
        ['listing_blocked', 'listing_blocked'],
        ['seller_suspended', 'listing_not_active'],
      ] as const) {
        const open = await authorized(rail);
        await act(cause, open);
        market.sellerEndpoint.requests.length = 0;
        const { body } = await sales.read(open.purchaseId, open.buyer);
        expect(body).toMatchObject({ status: 'expired', content: null, failureCode: code });
        expect(market.sellerEndpoint.requests).toEqual([]);
        await expectGivenBack(open);
      }
    },
  );
});

describe('what is held for a suspended seller', () => {
  it('is refunded or released sale by sale, as an operator decides', async () => {
    const [refunded, released] = [await held('wallet'), await held('card')];
    for (const open of [refunded, released]) await act('seller_suspended', open);
    const decide = (open: Open, what: string) =>
      sales.request(
        'POST',
        `/admin/purchases/${open.purchaseId}/${what}`,
        null,
        { reason: 'Looked at.' },
        AS_OPERATOR,
      );
    expect((await decide(refunded, 'refund')).status).toBe(200);
    expect((await decide(released, 'hold/lift')).status).toBe(200);
    await sales.pass(80 * HOUR);
    expect([await statusOf(refunded), await statusOf(released)]).toEqual(['refunded', 'released']);
    expect(await sales.balanceOf(refunded.buyer)).toBe(2000);
  });

  it('includes what was delivered in the moment of the suspension, and what comes back to escrow later', async () => {
    const open = await begin('wallet');
    market.sellerEndpoint.script = async (...call: Parameters<ReturnType<typeof sellerOf>>) => {
      await act('seller_suspended', { ...open, purchaseId: '' });
      return sellerOf({ answer: 42 })(...call);
    };
    const { body } = await sales.buy(open.listingId, open.buyer, { body: { payment_method: 'wallet' } });
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    const now = { ...open, purchaseId: body.id };
    expect(body).toMatchObject({ status: 'held', content: { answer: 42 } });
    await sales.pass(300 * HOUR);
    expect(await statusOf(now)).toBe('held');
    expect((await sales.read(now.purchaseId, open.buyer)).body).toMatchObject({ content: { answer: 42 } });
  });

  it('stays held when the suspension ends, where an operator held it before or meanwhile', async () => {
    const [before, meanwhile, free] = [await held('wallet'), await held('card'), await held('checkout')];
    const hold = async ({ purchaseId }: Open) => {
      const path = `/admin/purchases/${purchaseId}/hold`;
      expect((await sales.request('POST', path, null, { reason: 'Looked at.' }, AS_OPERATOR)).status).toBe(
        200,
      );
    };
    await hold(before);
    for (const open of [before, meanwhile, free]) await act('seller_suspended', open);
    await hold(meanwhile);
    for (const open of [before, meanwhile, free]) await act('seller_suspended', open, true);
    await sales.pass(300 * HOUR);
    expect(await Promise.all([before, meanwhile, free].map(statusOf))).toEqual(['held', 'held', 'released']);
    await sales.request(
      'POST',
      `/admin/purchases/${meanwhile.purchaseId}/hold/lift`,
      null,
      { reason: 'Looked at.' },
      AS_OPERATOR,
    );
    await sales.pass(2 * HOUR);
    expect(await statusOf(meanwhile)).toBe('released');
  });

  it('can be disputed meanwhile, and a refund goes its way', async () => {
    const open = await held('wallet');
    await act('seller_suspended', open);
    await sales.request('POST', `/marketplace/purchases/${open.purchaseId}/dispute`, open.buyer.apiKey, {
      reason: 'Lies.',
    });
    const path = `/admin/disputes/${open.purchaseId}/decision`;
    expect((await sales.request('POST', path, null, { decision: 'refund' }, AS_OPERATOR)).status).toBe(200);
    await sales.pass(2 * HOUR);
    expect([await statusOf(open), await sales.balanceOf(open.buyer)]).toEqual(['refunded', 2000]);
  });
});

it('what is free is not passed on any more once its listing is blocked', async () => {
  const seller = await sales.seller();
  const { id: listingId } = await sales.listing({ priceCents: 0 }, seller);
  const buyer = await sales.newAgent();
  const { body } = await sales.buy(listingId, buyer);
  const open: Open = { seller, listingId, buyer, rail: 'wallet', purchaseId: body.id };
  expect((await sales.read(body.id, buyer)).body).toMatchObject({ content: { answer: 42 } });
  await act('listing_blocked', open);
  expect((await sales.read(body.id, buyer)).body).toMatchObject({ content: null, contentStatus: 'ended' });
  await act('listing_blocked', open, true);
  expect((await sales.read(body.id, buyer)).body).toMatchObject({ content: { answer: 42 } });
});
