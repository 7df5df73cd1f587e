import { canonicalDigest, sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  type DeliveryOutcome,
  deliver,
  failed,
  fitsOutputSchema,
  type SellerDelivery,
} from '../../delivery/index.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../../kernel/time.ts';
import { type Listing, usedMicrosOf } from '../../listings/index.ts';

export type Content = Extract<DeliveryOutcome, { kind: 'delivered' }>;

/** What a delivery may show: nothing where another request recorded another answer meanwhile, the only one paid for. */
export type Shown = Content | { readonly kind: 'changed' };

/** What is asked of a listing, and for which purchase. */
export interface ContentRequest {
  readonly purchaseId: string;
  readonly query: JsonObject | null;
  readonly redelivery: number;
  /** Whether money was paid or is reserved for it. */
  readonly isPaid: boolean;
}

/**
 * The listing's content for a query, live: from its seller, or from the platform's own code. Every delivery of every rail
 * comes this way, and has been held against the listing's outputSchema when it does.
 */
export async function fetchContent(
  ports: Ports,
  listing: Listing,
  request: ContentRequest,
  now: EpochMs,
): Promise<DeliveryOutcome> {
  const askedAt = ports.clock.now();
  const delivery = await askFor(ports, listing, request, now);
  const latencyMs = ports.clock.now() - askedAt;
  if (delivery.kind !== 'delivered') return { ...delivery, latencyMs };
  const { meter, outputSchema } = listing;
  const { units = null } = delivery;
  // More than the buyer allows is neither shown nor charged. What is given again is not charged.
  if (meter !== null && request.redelivery === 0 && usedMicrosOf(meter, units) === null)
    return { ...failed('units_not_allowed'), latencyMs };
  const outputSchemaDigest = outputSchema === null ? null : await canonicalDigest(outputSchema);
  return { ...delivery, units: meter && units, latencyMs, outputSchemaDigest };
}

async function askFor(
  ports: Ports,
  listing: Listing,
  { purchaseId, query, redelivery, isPaid }: ContentRequest,
  now: EpochMs,
): Promise<SellerDelivery> {
  const { id: listingId, fingerprint, title, verticalSlug, seller, outputSchema } = listing;
  if (seller.kind === 'platform') {
    const answer = ports.platformListings.answer(listingId, query ?? {}, isoTime(now));
    if (answer === null) return { kind: 'unavailable' };
    if (!fitsOutputSchema(outputSchema, answer))
      return { kind: 'failed', reason: 'schema_mismatch', retryable: false };
    const content = utf8(canonicalJson(answer));
    return { kind: 'delivered', content, digest: await sha256Digest(content) };
  }
  if (seller.endpoint === null) return { kind: 'failed', reason: 'no_endpoint', retryable: false };
  const purpose = { sellerId: seller.id, purchaseId, redelivery };
  return deliver(
    ports,
    { listingId, fingerprint, title, verticalSlug, query },
    { sellerId: seller.id, outputSchema, purpose, isPaid, ...seller.endpoint },
  );
}
