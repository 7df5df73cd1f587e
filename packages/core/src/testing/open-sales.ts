import { expect } from 'vitest';
import { HOUR_MS } from '../kernel/time.ts';
import { reportCheckout } from '../sales/index.ts';
import type { RegisteredAgent } from './new-seller.ts';
import type { PaymentHeaders, QueryMarketplace } from './query-marketplace.ts';
import { sessionOf } from './sales-marketplace.ts';

/** Rails, and what is bought otherwise than a copy of data at its price. */
export type SaleWay = 'wallet' | 'card' | 'checkout' | 'x402' | 'order' | 'offer';
export type OpenState = 'pending_payment' | 'authorized' | 'held' | 'releasing';

/** What every wallet is filled with. */
export const FUNDS_CENTS = 2000;
const PRICE_CENTS = 1000;
const OFFER_CENTS = 900;

export interface OpenSale {
  readonly way: SaleWay;
  readonly purchaseId: string;
  readonly listingId: string;
  readonly seller: RegisteredAgent;
  /** Over x402, whose key was sent beside the payment. */
  readonly buyer: RegisteredAgent;
  /** What was paid with over x402. */
  readonly payment?: PaymentHeaders;
}

type Begun = Omit<OpenSale, 'purchaseId'>;

/** Sales at every state that they can be left in, for every way to buy. */
export function createOpenSales(x402: QueryMarketplace) {
  const { sales } = x402;
  const { market, cards } = sales;

  async function begin(
    way: SaleWay,
    fields: object = { listingType: 'limited', maxCopies: 3 },
  ): Promise<Begun> {
    const seller = await sales.seller();
    const { id: listingId } = await sales.listing({ priceCents: PRICE_CENTS, ...fields }, seller);
    const buyer = await sales.newAgent();
    if (way === 'wallet' || way === 'order') await sales.fund(buyer, FUNDS_CENTS);
    if (way === 'card') await sales.saveCard(buyer, 'available_at_once');
    return { way, seller, listingId, buyer };
  }

  async function buy(begun: Begun, method: string): Promise<OpenSale> {
    const { body } = await sales.buy(begun.listingId, begun.buyer, { body: { payment_method: method } });
    return { ...begun, purchaseId: body.id };
  }

  /** An offer that its seller has accepted. */
  async function accepted(fundsCents: number): Promise<OpenSale> {
    const { offerId, ...begun } = await offered(fundsCents);
    const answer = await sales.request('POST', `/sell/offers/${offerId}/accept`, begun.seller.apiKey, {});
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { ...begun, purchaseId: (answer.body as unknown as { purchaseId: string }).purchaseId };
  }

  async function offered(fundsCents: number): Promise<Begun & { readonly offerId: string }> {
    const begun = await begin('offer', { listingType: 'exclusive' });
    if (fundsCents > 0) await sales.fund(begun.buyer, fundsCents);
    const { status, body } = await sales.request(
      'POST',
      `/marketplace/listings/${begun.listingId}/offers`,
      begun.buyer.apiKey,
      { amountCents: OFFER_CENTS },
    );
    expect(status, JSON.stringify(body)).toBe(201);
    return { ...begun, offerId: body.id };
  }

  /** Paid on a page, and not collected. */
  async function paidOnPage(): Promise<OpenSale> {
    const open = await buy(await begin('checkout'), 'checkout');
    const [row] = await sales.rows<{ url: string }>(
      'SELECT checkout_url AS url FROM checkout_payments WHERE purchase_id = ?',
      open.purchaseId,
    );
    const sessionId = sessionOf(row?.url ?? '');
    cards.payCheckout(sessionId);
    await reportCheckout(market.newPorts(), { sessionId });
    return open;
  }

  async function inBulk(way: 'wallet' | 'card'): Promise<OpenSale> {
    const begun = await begin(way, {});
    const body = { listing_ids: [begun.listingId], payment_method: way };
    const answer = await sales.request('POST', '/marketplace/purchases/bulk', begun.buyer.apiKey, body);
    const [item] = (answer.body as unknown as { items: { purchaseId: string }[] }).items;
    return { ...begun, purchaseId: item?.purchaseId ?? '' };
  }

  async function queried(): Promise<OpenSale> {
    const begun = await begin('x402');
    const payment = await x402.pay(x402.newPayer(), begun.listingId, 2);
    const { body } = await x402.query(begun.listingId, { ...payment, 'x-api-key': begun.buyer.apiKey });
    return { ...begun, payment, purchaseId: body.id };
  }

  async function collected(open: OpenSale): Promise<OpenSale> {
    expect((await sales.read(open.purchaseId, open.buyer)).body.status).toBe('held');
    return open;
  }

  async function ship({ purchaseId, seller }: OpenSale): Promise<void> {
    const { status, body } = await sales.request(
      'POST',
      `/sell/orders/${purchaseId}/shipment`,
      seller.apiKey,
      {
        carrier: 'Post',
        trackingNumber: 'X1',
      },
    );
    expect(status, JSON.stringify(body)).toBe(200);
  }

  async function shipped(): Promise<OpenSale> {
    const open = await held.order();
    await ship(open);
    return open;
  }

  /** Its transfer is under way: nobody knows yet whether it was made. */
  const releasing = (sold: () => Promise<OpenSale>, lost: 'lose_request' | 'lose_reply') => async () => {
    const open = await sold();
    cards.fault = ({ method }) => (method === 'transfer' ? lost : undefined);
    await sales.pass(73 * HOUR_MS);
    cards.fault = () => undefined;
    return open;
  };

  const held = {
    wallet: async () => buy(await begin('wallet'), 'wallet'),
    card: async () => buy(await begin('card'), 'card'),
    checkout: async () => collected(await paidOnPage()),
    x402: queried,
    order: async () => buy(await begin('order', { fulfilment: 'physical' }), 'wallet'),
    offer: async () => collected(await accepted(FUNDS_CENTS)),
  };

  const inState: Readonly<Record<OpenState, Partial<Record<SaleWay, () => Promise<OpenSale>>>>> = {
    /** A page that nobody paid yet. */
    pending_payment: {
      checkout: async () => buy(await begin('checkout'), 'checkout'),
      offer: () => accepted(0),
    },
    /** Reserved, and not collected. Over x402 that is a request that is under way. */
    authorized: {
      wallet: () => inBulk('wallet'),
      card: () => inBulk('card'),
      checkout: paidOnPage,
      offer: () => accepted(FUNDS_CENTS),
    },
    held,
    releasing: {
      wallet: releasing(held.wallet, 'lose_reply'),
      card: releasing(held.card, 'lose_reply'),
      checkout: releasing(held.checkout, 'lose_reply'),
      x402: releasing(held.x402, 'lose_reply'),
      order: releasing(shipped, 'lose_reply'),
      offer: releasing(held.offer, 'lose_reply'),
    },
  };

  /** No transfer was made. */
  const transferNotMade = releasing(held.wallet, 'lose_request');

  return { begin, offered, inState, transferNotMade, ship };
}
