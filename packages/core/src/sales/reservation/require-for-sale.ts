import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { approvalErrors, isApprovalSpent } from '../../approvals/index.ts';
import { budgetRefusal } from '../../budgets/index.ts';
import { commonErrors, type FieldError, Refusal } from '../../kernel/errors.ts';
import type { EpochMs } from '../../kernel/time.ts';
import {
  isPersonalHealth,
  isQueryRequired,
  isSoldOut,
  type Listing,
  listingErrors,
  queryForOmitted,
  requireNotBlocked,
} from '../../listings/index.ts';
import { checkAgainstSchema } from '../../schemas/index.ts';
import { subsidyRefusal } from '../../subsidies/index.ts';
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

/** The listing, if this buyer can have it now for this query, and the query that its seller is asked. */
export function requireForSale(
  found: Listing | null,
  { buyerId, isSmokeTest = false, query, isAttested, unattested = [] }: PurchaseRequest,
): { readonly listing: Listing; readonly query: JsonObject | null } {
  if (!found) throw new Refusal(listingErrors.listing_not_found);
  requireOnSale(found, { agentId: buyerId, isSmokeTest });
  if (isPersonalHealth(found) && !isAttested) {
    throw new Refusal(purchaseErrors.attestation_required, { fields: unattested });
  }
  return { listing: found, query: requireFittingQuery(found, query) };
}

/** Who is to have it. */
export interface Asker {
  /** Null: without a key. */
  readonly agentId: string | null;
  /** The payment comes from the wallet that its seller is paid to. */
  readonly isPaidBySeller?: boolean;
  readonly isSmokeTest?: boolean;
}

/** Whether it can be had now, whatever is asked, and not by its own seller; smoke tests see only what their like sell. */
export function requireOnSale(
  listing: Listing,
  { agentId, isPaidBySeller = false, isSmokeTest = false }: Asker,
): void {
  const { seller, status } = listing;
  if (isPaidBySeller || seller.id === agentId) throw new Refusal(purchaseErrors.own_listing);
  if (seller.isSmokeTest && !isSmokeTest) throw new Refusal(listingErrors.listing_not_found);
  if (isSmokeTest && !seller.isSmokeTest) throw new Refusal(commonErrors.smoke_test_isolated);
  requireNotBlocked(listing);
  // Their listings are taken down within a minute: until then they would look as if they could be bought.
  if (status !== 'active' || seller.isSuspended || seller.isLeaving)
    throw new Refusal(purchaseErrors.listing_not_active);
  if (isSoldOut(listing)) throw new Refusal(purchaseErrors.sold_out);
}

/** The query that the seller is asked, where the buyer's fits or may be left out. */
export function requireFittingQuery(listing: Listing, sent: JsonObject | null): JsonObject | null {
  if (sent === null && isQueryRequired(listing)) throw new Refusal(purchaseErrors.query_required);
  const query = sent ?? queryForOmitted(listing);
  const { inputSchema } = listing;
  const fields = inputSchema === null || query === null ? [] : checkAgainstSchema(inputSchema, query);
  if (fields.length > 0) throw new Refusal(purchaseErrors.query_not_accepted, { fields });
  return query;
}

const APPROVAL_GONE =
  'What a person approved was used by another request, or its hour is over. Send the same request again: a person is asked anew.';

/** What the database refused, as a refusal where it is the buyer's to know. */
export function toSaleRefusal(error: unknown, now: EpochMs): unknown {
  const spent = subsidyRefusal(error, now);
  if (spent !== null) return spent;
  if (isApprovalSpent(error))
    return new Refusal(approvalErrors.approval_not_open, { charged: false, detail: APPROVAL_GONE });
  const budget = budgetRefusal(error, now);
  if (budget !== null) return budget;
  if (isBuyerLimited(error)) return new Refusal(purchaseErrors.buyer_limited);
  if (isListingChanged(error))
    return new Refusal(purchaseErrors.listing_changed_while_buying, { retryAfterSeconds: 1 });
  return isSoldOutConflict(error) ? new Refusal(purchaseErrors.sold_out) : error;
}
