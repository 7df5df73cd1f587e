import { PERSONAL_HEALTH_VERTICAL_SLUG } from '../catalogue/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { DatabaseError } from '../kernel/ports.ts';
import { checkAgainstSchema, type Listing, listingErrors } from '../listings/index.ts';
import { purchaseErrors } from './purchases.errors.ts';
import { LISTING_STILL_FOR_SALE } from './purchases.store.ts';

export interface Wanted {
  readonly buyerId: string | null;
  readonly query: JsonObject | null;
  /** What personal health data asks of its buyer was given in full. */
  readonly isAttested: boolean;
}

/** The listing, if this buyer can have it now for this query. */
export function requireForSale(found: Listing | null, { buyerId, query, isAttested }: Wanted): Listing {
  if (!found) throw new Refusal(listingErrors.listing_not_found);
  if (found.seller.id === buyerId) throw new Refusal(purchaseErrors.own_listing);
  if (found.status !== 'active') throw new Refusal(purchaseErrors.listing_not_active);
  const copies = found.listingType === 'exclusive' ? 1 : found.maxCopies;
  if (copies !== null && found.soldCount >= copies) throw new Refusal(purchaseErrors.sold_out);
  if (found.verticalSlug === PERSONAL_HEALTH_VERTICAL_SLUG && !isAttested) {
    throw new Refusal(purchaseErrors.attestation_required);
  }
  if (found.inputSchema) {
    const fields = checkAgainstSchema(found.inputSchema, query ?? {});
    if (fields.length > 0) throw new Refusal(purchaseErrors.query_not_accepted, { fields });
  }
  return found;
}

/** What the database refused, as a refusal where it is the buyer's to know. */
export function asSaleRefusal(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.kind !== 'constraint') return error;
  if (error.constraint === `guard ${LISTING_STILL_FOR_SALE}`)
    return new Refusal(purchaseErrors.listing_changed_while_buying, { retryAfterSeconds: 1 });
  return error.constraint.includes('sold_count') ? new Refusal(purchaseErrors.sold_out) : error;
}
