import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Operations, PendingPayment } from '@agent-marketplace/sdk';

export type Way = 'free' | 'card' | 'wallet' | 'usdc';

/** An order whose outcome is not known yet. It is sent again as it is, and never made anew. */
export interface KeptOrder {
  readonly listingId: string;
  readonly way: Way;
  readonly query: JsonObject | null;
  /** What the page showed: the most that is paid. */
  readonly priceCents: number;
  readonly email: string;
  readonly idempotencyKey: string;
  /** The signed payment of an order in USDC. */
  readonly payment: PendingPayment | null;
}

/** What an order brought. */
export interface Bought {
  readonly purchase: Operations['purchaseListing']['output'];
  /** The page of the purchase, where it is known. */
  readonly pageUrl: string | null;
}

const nameOf = (listingId: string) => `order ${listingId}`;

/** Signed payments outlive the tab: whoever signs twice pays twice. Others are kept with the tab and its key. */
const placeOf = ({ payment }: KeptOrder): Storage => (payment === null ? sessionStorage : localStorage);

/** @throws where the browser keeps nothing; then nothing may be sent. */
export function keepOrder(order: KeptOrder): void {
  placeOf(order).setItem(nameOf(order.listingId), JSON.stringify(order));
}

export function forgetOrder(listingId: string): void {
  for (const place of [localStorage, sessionStorage]) place.removeItem(nameOf(listingId));
}

export function keptOrder(listingId: string): KeptOrder | null {
  for (const place of [localStorage, sessionStorage]) {
    const text = place.getItem(nameOf(listingId));
    if (text === null) continue;
    try {
      return JSON.parse(text) as KeptOrder;
    } catch {
      place.removeItem(nameOf(listingId));
    }
  }
  return null;
}
