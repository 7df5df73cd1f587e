import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Operations, PendingPayment } from '@agent-marketplace/sdk';
import { NO_FACTS } from '../../../order/refusal-facts.ts';
import type { RefusalFacts } from '../../../order/refusal-words.ts';

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

/** The browser keeps nothing for this page, so nothing was sent. */
export class OrderNotKept extends Error {
  readonly facts: RefusalFacts = { ...NO_FACTS, code: 'order_not_kept', charged: false };
}

const PREFIX = 'order ';
const nameOf = (listingId: string) => `${PREFIX}${listingId}`;

/** Signed payments outlive the tab: whoever signs twice pays twice. Others are kept with the tab and its key. */
const placeOf = ({ payment }: KeptOrder): Storage => (payment === null ? sessionStorage : localStorage);

/** @throws OrderNotKept where the browser keeps nothing; then nothing may be sent. */
export function keepOrder(order: KeptOrder): void {
  try {
    placeOf(order).setItem(nameOf(order.listingId), JSON.stringify(order));
  } catch (cause) {
    throw new OrderNotKept('order_not_kept', { cause });
  }
}

/**
 * Nobody is asked to sign what could not be kept.
 *
 * @throws OrderNotKept
 */
export function requireRoom(order: KeptOrder): void {
  const name = `room for ${nameOf(order.listingId)}`;
  try {
    // A signed payment and its header are longer than the order, by a kilobyte or two.
    localStorage.setItem(
      name,
      JSON.stringify(order).padEnd(SIGNED_LENGTH + 2 * JSON.stringify(order).length),
    );
    localStorage.removeItem(name);
  } catch (cause) {
    throw new OrderNotKept('order_not_kept', { cause });
  }
}

const SIGNED_LENGTH = 8000;

export function forgetOrder(listingId: string): void {
  for (const place of places()) place.removeItem(nameOf(listingId));
}

export function keptOrder(listingId: string): KeptOrder | null {
  for (const place of places()) {
    const order = read(place, nameOf(listingId));
    if (order !== null) return order;
  }
  return null;
}

/** Whether the signed payment can move no money any more: only what it did before can be learned. */
export function isPastValidity({ payment }: KeptOrder, nowMs: number): boolean {
  return payment !== null && payment.validBefore * 1000 <= nowMs;
}

const KEPT_AFTER_VALIDITY_MS = 30 * 86_400_000;

/**
 * Forgets signed payments, with their queries, thirty days after their validity: the chain has settled them or never will,
 * and an answer is given again for a day only.
 */
export function forgetEndedOrders(nowMs: number): void {
  for (const place of places())
    for (const name of Object.keys(place)) {
      if (!name.startsWith(PREFIX)) continue;
      const order = read(place, name);
      if (order !== null && isPastValidity(order, nowMs - KEPT_AFTER_VALIDITY_MS)) place.removeItem(name);
    }
}

/** What this browser gives: none where it refuses storage. */
function places(): Storage[] {
  return [() => localStorage, () => sessionStorage].flatMap((open) => {
    try {
      return [open()];
    } catch {
      return [];
    }
  });
}

function read(place: Storage, name: string): KeptOrder | null {
  const text = place.getItem(name);
  if (text === null) return null;
  try {
    return JSON.parse(text) as KeptOrder;
  } catch {
    place.removeItem(name);
    return null;
  }
}
