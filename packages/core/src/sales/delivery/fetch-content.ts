import { type DeliveryOutcome, deliver } from '../../delivery/index.ts';
import { sha256Digest } from '../../kernel/crypto/digest.ts';
import { utf8 } from '../../kernel/crypto/encoding.ts';
import { canonicalJson } from '../../kernel/json/canonical-json.ts';
import type { JsonObject } from '../../kernel/json/json.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../../kernel/time.ts';
import type { Listing } from '../../listings/index.ts';

/** The listing's content for a query, live: from its seller, or from the platform's own code. */
export async function fetchContent(
  ports: Ports,
  listing: Listing,
  query: JsonObject | null,
  now: EpochMs,
): Promise<DeliveryOutcome> {
  const { id: listingId, fingerprint, title, verticalSlug, seller } = listing;
  if (seller.kind === 'platform') {
    const answer = ports.platformListings.answer(listingId, query ?? {}, isoTime(now));
    if (answer === null) return { kind: 'unavailable' };
    const content = utf8(canonicalJson(answer));
    return { kind: 'delivered', content, digest: await sha256Digest(content) };
  }
  if (seller.endpoint === null) return { kind: 'failed', reason: 'no_endpoint', retryable: false };
  return deliver(
    ports,
    { listingId, fingerprint, title, verticalSlug, query },
    { sellerId: seller.id, ...seller.endpoint },
  );
}
