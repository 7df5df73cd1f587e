import { claimLinkFor } from '../../agents/index.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Listing } from '../listing.ts';
import { activatePendingListings } from '../listings.store.ts';
import { missingToSell } from './listing-state.rules.ts';

/** What the answer about a pending listing says besides, and what is written with it. */
interface PendingClaim {
  readonly fields: { readonly claimUrl?: string; readonly notice?: string };
  readonly statements: readonly Statement[];
}

const NOT_PENDING: PendingClaim = { fields: {}, statements: [] };

/** A link for a person who can do what a pending listing waits for. Nothing for a listing in another state. */
export async function claimForPending(
  { ports, baseUrl, settings, now }: OperationContext,
  { seller, priceCents, status }: Pick<Listing, 'seller' | 'priceCents' | 'status'>,
): Promise<PendingClaim> {
  if (status !== 'pending') return NOT_PENDING;
  const place = { baseUrl, ...settings };
  const { id: sellerId, claimExpiresAt } = seller;
  const { claimUrl, statements } = await claimLinkFor(ports, place, { sellerId, claimExpiresAt }, now);
  const missing = missingToSell(seller, priceCents).join(' and ');
  const notice = `The listing is pending until ${missing}; it becomes active at that moment. A person does this at claimUrl.`;
  // What was done since the seller was read would otherwise leave the listing pending.
  return { fields: { claimUrl, notice }, statements: [...statements, activatePendingListings(sellerId)] };
}
