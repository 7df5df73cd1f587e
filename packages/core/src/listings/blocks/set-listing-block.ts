import { recordSellerNotice } from '../../agents/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Rule } from '../../kernel/rules.data.ts';
import { isoTime } from '../../kernel/time.ts';
import { changeListing } from '../change-listing.ts';
import { listingErrors } from '../listings.errors.ts';
import { findListing } from '../listings.store.ts';
import { insertBlock, isBlockUnchanged, liftBlock } from './listing-blocks.store.ts';
import { textDigestOf } from './text-digest.ts';

/** What is written and answered with the change of a block. */
interface Alongside {
  readonly statements: readonly Statement[];
  readonly answer: object;
}

/**
 * Blocks a listing under a rule, or lifts its block (`rule` is null): its status, its signed history, the notice to its
 * seller and what else is decided with it, in one transaction. Refuses where it is so already.
 */
export async function setListingBlock(
  ctx: OperationContext<'operator'>,
  listingId: string,
  { rule, reason }: { readonly rule: Rule | null; readonly reason: string },
  { statements, answer }: Alongside,
): Promise<void> {
  const { ports, now } = ctx;
  const listing = await findListing(ports.market, listingId);
  if (!listing) throw new Refusal(listingErrors.listing_not_found);
  if ((listing.blockedAt !== null) === (rule !== null)) throw unchanged();
  const since = isoTime(now);
  const block =
    rule === null
      ? liftBlock(listingId)
      : insertBlock(listing, { rule, reason, since }, await textDigestOf(listing));
  const type = rule === null ? ('listing.unblocked' as const) : ('listing.blocked' as const);
  const notice = recordSellerNotice(ports, listing.seller.id, type, { listingId, reason, rule }, since);
  // What its seller had taken off the market before stays off it.
  const active = rule !== null ? false : listing.blockedStatus !== 'inactive' || undefined;
  try {
    await changeListing(
      ctx,
      listing,
      { active, reason },
      {
        answer,
        changes: { blocked: { from: listing.blockedRule, to: rule } },
        statements: [...block, ...statements, ...notice],
      },
    );
  } catch (error) {
    throw isBlockUnchanged(error) ? unchanged() : error;
  }
  ports.background.run(ports.jobs.send({ kind: 'outbox' }));
}

const unchanged = () => new Refusal(listingErrors.listing_block_unchanged);
