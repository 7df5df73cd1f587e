import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts';
import { reportCheckout } from '../../sales/index.ts';
import { sellerOf } from '../../testing/doubles/fake-seller-endpoint.ts';
import { AS_OPERATOR } from '../../testing/fixtures/new-inquiry.ts';
import {
  createOpenSales,
  FUNDS_CENTS,
  type OpenSale,
  type OpenState,
  type SaleWay,
} from '../../testing/fixtures/open-sales.ts';
import { createQueryMarketplace } from '../../testing/marketplace/query-marketplace.ts';
import { sessionOf } from '../../testing/marketplace/sales-marketplace.ts';
import { type ModerationCause, saleEffect } from './sale-effect.rules.ts';

// What becomes of a sale at every state, on every way to buy, when its listing is blocked or one of its parties suspended.

const x402 = createQueryMarketplace();
const { sales, chain } = x402;
const { market, cards } = sales;
const { begin, inState, transferNotMade, offered, ship } = createOpenSales(x402);
market.sellerEndpoint.script = sellerOf({ answer: 42 });

afterEach(async () => {
  cards.fault = () => undefined;
  await x402.heal();
  await sales.audit();
});

async function act(
  cause: ModerationCause,
  { listingId, seller, buyer }: OpenSale,
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

async function statusOf({ purchaseId }: OpenSale): Promise<string | undefined> {
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
async function expectGivenBack(open: OpenSale, fundsCents: number): Promise<void> {
  expect(await sales.sold(open.listingId)).toBe(0);
  expect(await sales.balanceOf(open.buyer)).toBe(fundsCents);
  const [row] = await sales.rows<{ taken: number }>(
    'SELECT captured_cents - refunded_cents AS taken FROM payments WHERE purchase_id = ?',
    open.purchaseId,
  );
  expect(row?.taken).toBe(0);
}
const fundsOf = (way: SaleWay, state: OpenState) =>
  state !== 'pending_payment' && (way === 'wallet' || way === 'offer') ? FUNDS_CENTS : 0;

const CAUSES = ['listing_blocked', 'seller_suspended', 'buyer_suspended'] as const;
const CELLS = CAUSES.flatMap((cause) =>
  (Object.keys(inState) as OpenState[]).flatMap((state) =>
    (Object.keys(inState[state]) as SaleWay[]).map((way) => ({
      cause,
      state,
      way,
      effect: saleEffect(cause, state),
    })),
  ),
);

async function openSale(state: OpenState, way: SaleWay): Promise<OpenSale> {
  const open = await inState[state][way]?.();
  if (!open) throw new Error(`Nothing is ${state} by ${way}.`);
  return open;
}

describe('a sale', () => {
  it.each(CELLS)('that is $state by $way, then $cause: $effect', async ({ cause, state, way, effect }) => {
    const open = await openSale(state, way);
    expect(await statusOf(open)).toBe(state);
    await act(cause, open);
    await runJobs();
    if (way === 'order' && state === 'held') await ship(open);
    switch (effect) {
      case 'cancel':
        expect(await statusOf(open)).toBe('expired');
        await expectGivenBack(open, fundsOf(way, state));
        return;
      case 'hold':
        await sales.pass(300 * HOUR_MS);
        expect(await statusOf(open)).toBe('held');
        await act(cause, open, true);
        // The time in escrow of what was shipped since begins with its shipment.
        await sales.pass((way === 'order' ? 80 : 2) * HOUR_MS);
        expect(await statusOf(open)).toBe('released');
        return;
      case 'continue': {
        const { payment } = open;
        const { body } = payment
          ? await x402.query(open.listingId, payment)
          : await sales.read(open.purchaseId, open.buyer);
        // The same payment brings the data again for a day.
        const isOver = way === 'x402' && state === 'releasing';
        if (!isOver) expect(body.content).toEqual({ answer: 42 });
        await sales.pass(80 * HOUR_MS);
        expect(await statusOf(open)).toBe('released');
      }
    }
  });

  it('that is releasing and whose transfer was not made is held, as long as its seller is suspended', async () => {
    const open = await transferNotMade();
    expect(await statusOf(open)).toBe('releasing');
    await act('seller_suspended', open);
    await runJobs();
    await sales.pass(300 * HOUR_MS);
    expect(await statusOf(open)).toBe('held');
    await act('seller_suspended', open, true);
    await sales.pass(2 * HOUR_MS);
    expect(await statusOf(open)).toBe('released');
  });

  it.each(Object.keys(inState.authorized) as SaleWay[])(
    'paid by %s and not collected: its buyer is told, and the seller is not asked',
    async (way) => {
      for (const [cause, code] of [
        ['listing_blocked', 'listing_blocked'],
        ['seller_suspended', 'listing_not_active'],
      ] as const) {
        const open = await openSale('authorized', way);
        await act(cause, open);
        market.sellerEndpoint.requests.length = 0;
        const { body } = await sales.read(open.purchaseId, open.buyer);
        expect(body).toMatchObject({ status: 'expired', content: null, failureCode: code });
        expect(market.sellerEndpoint.requests).toEqual([]);
        await expectGivenBack(open, fundsOf(way, 'authorized'));
      }
    },
  );
});

it('a page whose payment the card processor reports after its seller was suspended: nothing is taken, its buyer is told', async () => {
  const open = await openSale('pending_payment', 'checkout');
  const [row] = await sales.rows<{ url: string }>(
    'SELECT checkout_url AS url FROM checkout_payments WHERE purchase_id = ?',
    open.purchaseId,
  );
  const sessionId = sessionOf(row?.url);
  cards.payCheckout(sessionId);
  await act('seller_suspended', open);
  market.sellerEndpoint.requests.length = 0;
  await reportCheckout(market.newPorts(), { sessionId });
  await runJobs();
  const { body } = await sales.read(open.purchaseId, open.buyer);
  expect(body).toMatchObject({ status: 'expired', content: null, failureCode: 'listing_not_active' });
  expect(market.sellerEndpoint.requests).toEqual([]);
  await expectGivenBack(open, 0);
});

describe('a query that is paid for on chain while its listing is blocked or its seller suspended', () => {
  const under = async (fault: 'lose_request' | 'lose_reply', cause: ModerationCause) => {
    const begun = await begin('x402');
    const payer = x402.newPayer();
    const headers = await x402.pay(payer, begun.listingId, 2);
    chain.fault = ({ method }) => (method === 'settle' ? fault : undefined);
    const { status } = await x402.query(begun.listingId, headers);
    expect(status).toBe(503);
    const [sale] = await sales.purchases(begun.listingId);
    const open: OpenSale = { ...begun, purchaseId: sale?.id ?? '' };
    expect(sale?.status).toBe('authorized');
    await act(cause, open);
    chain.fault = () => undefined;
    return { open, payer, again: () => x402.query(begun.listingId, headers) };
  };

  it.each(['listing_blocked', 'seller_suspended'] as const)(
    'ends as if it had come before, once it is settled: %s',
    async (cause) => {
      const { open, again } = await under('lose_reply', cause);
      await runJobs();
      expect(await statusOf(open)).toBe('held');
      const { status, body } = await again();
      expect([status, body.content]).toEqual([200, { answer: 42 }]);
      expect(await x402.money(open.listingId)).toMatchObject({ captured: 1000 });
    },
  );

  it.each(['listing_blocked', 'seller_suspended'] as const)(
    'ends as if it had never come, where its payment never reached the chain: %s',
    async (cause) => {
      const { open, payer } = await under('lose_request', cause);
      const funds = chain.balanceOf(payer.address);
      await sales.pass(HOUR_MS, 10);
      expect(await statusOf(open)).toBe('expired');
      expect(chain.balanceOf(payer.address)).toBe(funds);
      await expectGivenBack(open, 0);
      const fresh = await x402.query(open.listingId);
      expect(fresh.status).toBe(cause === 'listing_blocked' ? 410 : 409);
    },
  );
});

describe('an offer that is open', () => {
  it.each([
    ['listing_blocked', 'listing_blocked'],
    ['seller_suspended', 'agent_suspended'],
    ['buyer_suspended', 'buyer_limited'],
  ] as const)('%s: it cannot be accepted meanwhile (%s), and costs nothing', async (cause, code) => {
    const { offerId, ...begun } = await offered(FUNDS_CENTS);
    const open: OpenSale = { ...begun, purchaseId: '' };
    const accept = () => sales.request('POST', `/sell/offers/${offerId}/accept`, begun.seller.apiKey, {});
    await act(cause, open);
    expect((await accept()).body.code).toBe(code);
    expect(await sales.purchases(begun.listingId)).toEqual([]);
    expect(await sales.balanceOf(begun.buyer)).toBe(FUNDS_CENTS);
    await act(cause, open, true);
    expect((await accept()).status).toBe(200);
  });
});

it('an order that a suspended seller does not ship in time is refunded', async () => {
  const open = await openSale('held', 'order');
  await act('seller_suspended', open);
  await sales.pass(15 * DAY_MS);
  expect([await statusOf(open), await sales.balanceOf(open.buyer)]).toEqual(['refunded', FUNDS_CENTS]);
});

describe('what is held for a suspended seller', () => {
  it('is refunded or released sale by sale, as an operator decides', async () => {
    const [refunded, released] = [await openSale('held', 'wallet'), await openSale('held', 'card')];
    for (const open of [refunded, released]) await act('seller_suspended', open);
    const decide = (open: OpenSale, what: string) =>
      sales.request(
        'POST',
        `/admin/purchases/${open.purchaseId}/${what}`,
        null,
        { reason: 'Looked at.' },
        AS_OPERATOR,
      );
    expect((await decide(refunded, 'refund')).status).toBe(200);
    expect((await decide(released, 'hold/lift')).status).toBe(200);
    await sales.pass(80 * HOUR_MS);
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
    await sales.pass(300 * HOUR_MS);
    expect(await statusOf(now)).toBe('held');
    expect((await sales.read(now.purchaseId, open.buyer)).body).toMatchObject({ content: { answer: 42 } });
  });

  it('stays held when the suspension ends, where an operator held it before or meanwhile', async () => {
    const [before, meanwhile, free] = [
      await openSale('held', 'wallet'),
      await openSale('held', 'card'),
      await openSale('held', 'checkout'),
    ];
    const hold = async ({ purchaseId }: OpenSale) => {
      const path = `/admin/purchases/${purchaseId}/hold`;
      expect((await sales.request('POST', path, null, { reason: 'Looked at.' }, AS_OPERATOR)).status).toBe(
        200,
      );
    };
    await hold(before);
    for (const open of [before, meanwhile, free]) await act('seller_suspended', open);
    await hold(meanwhile);
    for (const open of [before, meanwhile, free]) await act('seller_suspended', open, true);
    await sales.pass(300 * HOUR_MS);
    expect(await Promise.all([before, meanwhile, free].map(statusOf))).toEqual(['held', 'held', 'released']);
    await sales.request(
      'POST',
      `/admin/purchases/${meanwhile.purchaseId}/hold/lift`,
      null,
      { reason: 'Looked at.' },
      AS_OPERATOR,
    );
    await sales.pass(2 * HOUR_MS);
    expect(await statusOf(meanwhile)).toBe('released');
  });

  it('can be disputed meanwhile, and a refund goes its way', async () => {
    const open = await openSale('held', 'wallet');
    await act('seller_suspended', open);
    await sales.request('POST', `/marketplace/purchases/${open.purchaseId}/dispute`, open.buyer.apiKey, {
      reason: 'Lies.',
    });
    const path = `/admin/disputes/${open.purchaseId}/decision`;
    expect((await sales.request('POST', path, null, { decision: 'refund' }, AS_OPERATOR)).status).toBe(200);
    await sales.pass(2 * HOUR_MS);
    expect([await statusOf(open), await sales.balanceOf(open.buyer)]).toEqual(['refunded', 2000]);
  });
});

it('what is free is not passed on any more once its listing is blocked', async () => {
  const seller = await sales.seller();
  const { id: listingId } = await sales.listing({ priceCents: 0 }, seller);
  const buyer = await sales.newAgent();
  const { body } = await sales.buy(listingId, buyer);
  const open: OpenSale = { seller, listingId, buyer, way: 'wallet', purchaseId: body.id };
  expect((await sales.read(body.id, buyer)).body).toMatchObject({ content: { answer: 42 } });
  await act('listing_blocked', open);
  expect((await sales.read(body.id, buyer)).body).toMatchObject({ content: null, contentStatus: 'ended' });
  await act('listing_blocked', open, true);
  expect((await sales.read(body.id, buyer)).body).toMatchObject({ content: { answer: 42 } });
});
