import { commonErrors, type FieldError, Refusal } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json/json.ts';
import { isPersonalHealth, isSoldOut, type Listing, listingErrors } from '../../listings/index.ts';
import { checkAgainstSchema } from '../../schemas/index.ts';
import { purchaseErrors } from '../purchases.errors.ts';
import { isBuyerLimited, isListingChanged, isSoldOutConflict } from '../reservations.store.ts';

export interface PurchaseRequest {
  readonly buyerId: string | null;
  readonly isSmokeTest?: boolean;
  readonly query: JsonObject | null;
  /** What personal health data asks of its buyer was given in full. */
  readonly isAttested: boolean;
  /** What of it was not. */
  readonly unattested?: readonly FieldError[];
}

/** The listing, if this buyer can have it now for this query. */
export function requireForSale(
  found: Listing | null,
  { buyerId, isSmokeTest = false, query, isAttested, unattested = [] }: PurchaseRequest,
): Listing {
  if (!found) throw new Refusal(listingErrors.listing_not_found);
  if (found.seller.id === buyerId) throw new Refusal(purchaseErrors.own_listing);
  requireOnSale(found, isSmokeTest);
  if (isPersonalHealth(found) && !isAttested) {
    throw new Refusal(purchaseErrors.attestation_required, { fields: unattested });
  }
  requireFittingQuery(found, query);
  return found;
}

/** Whether anybody can have it now, whatever they ask; smoke tests see only what their like sell. */
export function requireOnSale(listing: Listing, isSmokeTest = false): void {
  const { seller, status } = listing;
  if (seller.isSmokeTest && !isSmokeTest) throw new Refusal(listingErrors.listing_not_found);
  if (isSmokeTest && !seller.isSmokeTest) throw new Refusal(commonErrors.smoke_test_isolated);
  if (status !== 'active') throw new Refusal(purchaseErrors.listing_not_active);
  if (isSoldOut(listing)) throw new Refusal(purchaseErrors.sold_out);
}

export function requireFittingQuery({ inputSchema }: Listing, query: JsonObject | null): void {
  if (inputSchema === null) return;
  const fields = checkAgainstSchema(inputSchema, query ?? {});
  if (fields.length > 0) throw new Refusal(purchaseErrors.query_not_accepted, { fields });
}

/** What the database refused, as a refusal where it is the buyer's to know. */
export function toSaleRefusal(error: unknown): unknown {
  if (isBuyerLimited(error)) return new Refusal(purchaseErrors.buyer_limited);
  if (isListingChanged(error))
    return new Refusal(purchaseErrors.listing_changed_while_buying, { retryAfterSeconds: 1 });
  return isSoldOutConflict(error) ? new Refusal(purchaseErrors.sold_out) : error;
}
