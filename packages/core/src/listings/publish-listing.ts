import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import * as z from 'zod';
import { insertSeller, isSellerSuspended } from '../agents/index.ts';
import type { Filing } from '../catalogue/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { signedStatementOf } from '../provenance/index.ts';
import { isBlockStanding } from './blocks/listing-blocks.store.ts';
import { viewListingDetail } from './listing-view.rules.ts';
import { listingErrors } from './listings.errors.ts';
import { listingDetailView, pendingFields } from './listings.schema.ts';
import { findStanding, insertListing, type ListingRow } from './listings.store.ts';
import { type ListingDraft, newListing } from './new-listing.ts';
import { refreshAfterChange } from './refresh-search-documents.ts';
import { claimForPending } from './state/claim-for-pending.ts';
import { isReadyToSell } from './state/listing-state.rules.ts';

/** The answer to listing something. */
export const publishedListing = z
  .object({
    ...pendingFields,
    filing: z.object({
      matchedKeywords: z.array(z.string()),
      method: z.enum(['chosen', 'matched', 'general']),
      verticalSlug: z.string(),
    }),
    listing: listingDetailView,
    receipt: signedStatementOf(
      z.object({
        createdAt: z.iso.datetime(),
        fingerprint: z.string(),
        listingId: z.uuid(),
        priceCents: z.int(),
        sellerId: z.uuid(),
        title: z.string(),
        type: z.literal('listing_receipt'),
        version: z.literal(1),
      }),
    ),
  })
  .meta({ id: 'PublishedListing' });

/** What is written and answered together with a listing. */
export interface Alongside<Fields extends object> {
  readonly statements: readonly Statement[];
  readonly fields: Fields;
}

/**
 * Publishes a listing of the caller: its row, its history and what goes with them in one transaction. It is active
 * at once if the seller is ready to sell; otherwise it is pending, and the answer has a claim link for a person.
 */
export async function publishListing<Fields extends object>(
  ctx: OperationContext<'agent'>,
  draft: ListingDraft,
  filing: Filing,
  alongside: (row: ListingRow) => Promise<Alongside<Fields>>,
): Promise<z.output<typeof publishedListing> & Fields> {
  const { ports, now, caller } = ctx;
  const createdAt = isoTime(now);
  const { seller, isSeller } = await findStanding(ports.market, caller.agentId, createdAt);

  const { row, entry } = await newListing(ports, draft, {
    sellerId: seller.id,
    sellerKind: 'third_party',
    status: isReadyToSell(seller, draft.priceCents) ? 'active' : 'pending',
    verticalSlug: filing.vertical.slug,
    isSample: false,
    createdAt,
  });
  const claim = await claimForPending(ctx, { ...row, seller });
  const more = await alongside(row);
  const { id: listingId, fingerprint, priceCents, title } = row;
  const receipt = await signStatement(
    ports.signer,
    {
      createdAt,
      fingerprint,
      listingId,
      priceCents,
      sellerId: seller.id,
      title,
      type: 'listing_receipt' as const,
      version: 1 as const,
    },
    createdAt,
  );
  const answer = {
    ...claim.fields,
    ...more.fields,
    filing: {
      matchedKeywords: [...filing.matchedKeywords],
      method: filing.method,
      verticalSlug: filing.vertical.slug,
    },
    listing: viewListingDetail({ ...row, seller, quality: null }, filing.vertical, now),
    receipt,
  };
  try {
    await ctx.commit(
      [
        ...(isSeller ? [] : [insertSeller(seller.id, null, createdAt)]),
        ...insertListing(row, entry),
        ...more.statements,
        ...claim.statements,
      ],
      answer,
    );
  } catch (error) {
    if (isSellerSuspended(error)) throw new Refusal(commonErrors.agent_suspended);
    throw isBlockStanding(error) ? new Refusal(listingErrors.listing_blocked) : error;
  }
  await refreshAfterChange(ports, [listingId]);
  return answer;
}
