import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { DeliveryPurchase } from './delivery-purchase.ts';
import type { MeteredData } from './metered.ts';

/** A buyer's request. Answer within 30 seconds with at most 10 MB. */
export interface DeliveryRequest {
  readonly type: 'delivery_request';
  readonly listingId: string;
  /** `sha256:<hex>` of the listing's declaration: the version that the buyer saw. */
  readonly fingerprint: string;
  readonly title: string;
  readonly verticalSlug: string;
  /** The buyer's query, or an empty object. It is untrusted input. */
  readonly query: JsonObject;
  /** ISO-8601 UTC. */
  readonly issuedAt: string;
}

/**
 * Returns the data for a request, or null if there is none now: then the buyer is not charged. `QueryRefused` says that
 * the query cannot be answered; other errors that it throws are never shown to the marketplace or the buyer. `purchase` says what it is for, and whether you were asked before.
 * Data of a listing that is priced by units is returned as `metered(data, units)`.
 */
export type Deliver = (
  request: DeliveryRequest,
  purchase: DeliveryPurchase | null,
) => Promise<JsonObject | MeteredData | null> | JsonObject | MeteredData | null;

/** A parsed message, independent of its transport. */
export type SellerMessage =
  | { readonly kind: 'challenge'; readonly nonce: string }
  | { readonly kind: 'delivery'; readonly request: DeliveryRequest }
  | { readonly kind: 'unknown' };

export function readMessage(message: unknown): SellerMessage {
  if (!isJsonObject(message)) return { kind: 'unknown' };
  if (message.type === 'verification_challenge' && typeof message.nonce === 'string') {
    return { kind: 'challenge', nonce: message.nonce };
  }
  const isDelivery = message.type === 'delivery_request' && typeof message.listingId === 'string';
  if (!isDelivery) return { kind: 'unknown' };
  const query = isJsonObject(message.query) ? message.query : {};
  return { kind: 'delivery', request: { ...message, query } as unknown as DeliveryRequest };
}
