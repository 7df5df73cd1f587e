import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { isSellerSuspended } from '../agents/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { isBlockStanding } from './blocks/listing-blocks.store.ts';
import { requireNotBlocked } from './blocks/require-not-blocked.ts';
import { fingerprintOf, invalidField } from './declared-content.ts';
import { requireVertical } from './get-listing.ts';
import { type Changes, type ChangeType, type HistoryEntry, viewHistoryEntry } from './history.rules.ts';
import type { Listing, RedeliveryTerms } from './listing.ts';
import { viewListingDetail } from './listing-view.rules.ts';
import { listingErrors } from './listings.errors.ts';
import {
  findListing,
  findSignerName,
  isConsentMissing,
  isDeclaredNotPersonal,
  isListingBlocked,
  isListingChanged,
} from './listings.store.ts';
import { nextVersion } from './next-version.ts';
import { insertDeclaration } from './personal-health/health-declarations.store.ts';
import { personalHealthWords } from './personal-health/health-words.rules.ts';
import { requireDeclarable } from './personal-health/require-declarable.ts';
import { requireHealthFlow } from './personal-health/require-health-flow.ts';
import {
  HEALTH_MIN_PRICE_CENTS,
  healthChangeProblem,
  isPersonalHealth,
  NAME_REMOVED_MESSAGE,
} from './personal-health.rules.ts';
import { changedPrice, priceFault, textOfMeter } from './price/price.rules.ts';
import { holdsName } from './published-name.rules.ts';
import { refreshAfterChange } from './refresh-search-documents.ts';
import { claimForPending } from './state/claim-for-pending.ts';
import { isReadyToSell, nextStatus } from './state/listing-state.rules.ts';

/** What an owner may change. Undefined fields stay as they are. */
export interface ListingPatch {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly preview?: JsonObject | undefined;
  readonly priceCents?: number | undefined;
  readonly priceMicros?: number | null | undefined;
  readonly meter?: Listing['meter'] | undefined;
  readonly redelivery?: RedeliveryTerms | undefined;
  readonly active?: boolean | undefined;
  readonly notPersonalHealth?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** What an operator found about a listing: shown in its history, written and answered with the change that follows. */
interface OperatorFinding {
  readonly changes: Changes;
  readonly statements: readonly Statement[];
  readonly answer: object;
}

/** So many concurrent changes of one listing all succeed: one succeeds in each round, and the others try again. */
const MAX_TRIES = 8;

/**
 * Changes a listing and adds the signed history entry in one transaction. A change that changes nothing makes no
 * version. Answers the listing with the history entry.
 *
 * The new values do not depend on the listing as it was read, so a change by another request in the meantime is no
 * reason to refuse: this one is applied on top of it.
 */
export async function changeListing(
  ctx: OperationContext<'agent' | 'operator'>,
  found: Listing | null,
  patch: ListingPatch,
  finding?: OperatorFinding,
) {
  let listing = found;
  for (let triesLeft = MAX_TRIES - 1; ; triesLeft -= 1) {
    try {
      return await tryChange(ctx, listing, patch, finding);
    } catch (error) {
      const isConflict = error instanceof Refusal && error.definition === listingErrors.listing_changed;
      if (!isConflict || listing === null || triesLeft === 0) throw error;
      listing = await findListing(ctx.ports.market, listing.id);
    }
  }
}

async function tryChange(
  ctx: OperationContext<'agent' | 'operator'>,
  listing: Listing | null,
  patch: ListingPatch,
  finding?: OperatorFinding,
) {
  if (!listing) throw new Refusal(listingErrors.listing_not_found);
  // An operator's operation has no caller.
  if (ctx.caller !== null && listing.seller.id !== ctx.caller.agentId) {
    throw new Refusal(listingErrors.not_listing_owner);
  }
  if (finding === undefined) requireNotBlocked(listing);
  await refuseRemovedName(ctx.ports, listing, patch);

  const { changed, changes: differences } = await compare(listing, patch);
  requireSoundHealthData(changed);
  const fault = priceFault(changed, changed);
  if (fault !== null) throw invalidField(fault.path, fault.message);
  if (changed.meter !== null && isPersonalHealth(changed))
    throw invalidField('meter', 'Personal health data has one price.');
  // An operator declares nothing in a seller's name.
  const declaration = finding ? null : await declarationOf(ctx.ports, listing, changed, patch);
  const changes = { ...differences, ...declaration?.changes, ...finding?.changes };
  const claim = await claimForPending(ctx, changed);
  if (Object.keys(changes).length === 0) return answerOf(listing, null, ctx.now, claim.fields);
  const { after, entry, statements } = await nextVersion(ctx.ports, listing, changed, {
    changeType: changeTypeOf(changes),
    changedAt: isoTime(ctx.now),
    changes,
    reason: patch.reason ?? null,
  });
  const answer = answerOf(after, entry, ctx.now, claim.fields);
  try {
    await ctx.commit(
      [
        // Before the listing: one that an operator accepts or rejects is judged by the new finding.
        ...(finding?.statements ?? []),
        ...statements,
        ...(declaration
          ? [insertDeclaration(declarationRow(ctx.ports, declaration, listing.id, entry))]
          : []),
        ...claim.statements,
      ],
      finding?.answer ?? answer,
    );
  } catch (error) {
    throw toChangeRefusal(error);
  }
  await refreshAfterChange(ctx.ports, [listing.id]);
  return answer;
}

function toChangeRefusal(error: unknown): unknown {
  if (isListingChanged(error)) return new Refusal(listingErrors.listing_changed);
  if (isListingBlocked(error)) return new Refusal(listingErrors.health_declaration_rejected);
  if (isSellerSuspended(error)) return new Refusal(commonErrors.agent_suspended);
  if (isBlockStanding(error)) return new Refusal(listingErrors.listing_blocked);
  // The consent was erased after the listing was read.
  if (isConsentMissing(error)) return new Refusal(listingErrors.health_consent_gone);
  return error;
}

interface NewDeclaration {
  readonly changes: Changes;
  readonly words: readonly string[];
}

function declarationRow(
  { ids }: Pick<Ports, 'ids'>,
  { words }: NewDeclaration,
  listingId: string,
  { version, changedAt }: HistoryEntry,
) {
  return { id: ids.uuid(), listingId, version, words, createdAt: changedAt };
}

/**
 * The declaration that this change needs, as its history shows it; none, if its words need none or were there when the
 * seller declared. Taking a listing off the market is always let through.
 */
async function declarationOf(
  { market }: Pick<Ports, 'market'>,
  listing: Listing,
  changed: Listing,
  { notPersonalHealth, reason }: ListingPatch,
): Promise<NewDeclaration | null> {
  const isWithdrawn = changed.status === 'inactive' && changed.fingerprint === listing.fingerprint;
  if (isPersonalHealth(listing) || isWithdrawn) return null;
  const said = { ...changed, reason };
  const words = personalHealthWords(said);
  if (words.length === 0) return null;
  const isDeclared = await isDeclaredNotPersonal(market, listing.id);
  const declaredWords = isDeclared ? personalHealthWords(listing) : [];
  const isNew = words.some((word) => !declaredWords.includes(word));
  if (!isNew) return null;
  if (notPersonalHealth !== true) requireHealthFlow(said, declaredWords);
  await requireDeclarable(market, { sellerId: listing.seller.id, listingId: listing.id, words });
  return { changes: { notPersonalHealth: { from: isDeclared || null, to: true } }, words };
}

/** A change of the text needs no new consent: the history links the text of the consent with the present one. */
function requireSoundHealthData(changed: Listing): void {
  switch (healthChangeProblem(changed)) {
    case null:
      return;
    case 'price_too_low':
      throw invalidField(
        'priceCents',
        `Personal health data costs at least ${HEALTH_MIN_PRICE_CENTS} cents.`,
      );
    case 'consent_erased':
      throw new Refusal(listingErrors.health_consent_gone);
  }
}

/** Data listed without its seller's name must not get it by a change of text: the history would show it for good. */
async function refuseRemovedName(
  { market }: Pick<Ports, 'market'>,
  { id, deidentificationLevel }: Listing,
  patch: ListingPatch,
): Promise<void> {
  const changed = PUBLISHED_FIELDS.filter((path) => patch[path] !== undefined);
  if (deidentificationLevel !== 'name_removed' || changed.length === 0) return;
  const name = await findSignerName(market, id);
  if (name === null) return;
  const fields = changed
    .filter((path) => holdsName(patch[path] ?? null, name))
    .map((path) => ({ message: NAME_REMOVED_MESSAGE, path }));
  if (fields.length > 0) throw new Refusal(commonErrors.validation_failed, { fields });
}

const PUBLISHED_FIELDS = ['title', 'description', 'preview', 'reason'] as const;

function answerOf(
  listing: Listing,
  change: HistoryEntry | null,
  now: number,
  pending: Awaited<ReturnType<typeof claimForPending>>['fields'],
) {
  return {
    ...viewListingDetail(listing, requireVertical(listing), now),
    change: change && viewHistoryEntry(listing.id, change),
    ...pending,
  };
}

/** The changed listing, and its differences. The history shows a preview as its digest only. */
async function compare(
  listing: Listing,
  patch: ListingPatch,
): Promise<{ changed: Listing; changes: Changes }> {
  const title = patch.title ?? listing.title;
  const description = patch.description ?? listing.description;
  const preview = patch.preview ?? listing.preview;
  const { priceCents, priceMicros, meter } = changedPrice(listing, patch);
  const redelivery = patch.redelivery ?? listing.redelivery;
  const status = nextStatus(listing.status, patch.active, isReadyToSell(listing.seller, priceCents));
  const fingerprint = await fingerprintOf({ ...listing, title, description, preview });
  const [previewBefore, previewAfter] = await Promise.all([
    canonicalDigest(listing.preview),
    canonicalDigest(preview),
  ]);

  const candidates = {
    active: { from: listing.status === 'active', to: status === 'active' },
    description: { from: listing.description, to: description },
    fingerprint: { from: listing.fingerprint, to: fingerprint },
    meter: { from: listing.meter && textOfMeter(listing.meter), to: meter && textOfMeter(meter) },
    preview: { from: previewBefore, to: previewAfter },
    priceCents: { from: listing.priceCents, to: priceCents },
    priceMicros: { from: listing.priceMicros, to: priceMicros },
    redelivery: { from: listing.redelivery, to: redelivery },
    status: { from: listing.status, to: status },
    title: { from: listing.title, to: title },
  };
  const changes = Object.fromEntries(Object.entries(candidates).filter(([, { from, to }]) => from !== to));
  const changed = {
    ...listing,
    title,
    description,
    preview,
    priceCents,
    priceMicros,
    meter,
    redelivery,
    status,
    fingerprint,
  };
  return { changed, changes };
}

const PRICE_FIELDS: ReadonlySet<string> = new Set(['meter', 'priceCents', 'priceMicros']);

function changeTypeOf(changes: Changes): ChangeType {
  if (changes.blocked) return changes.blocked.to === null ? 'unblocked' : 'blocked';
  if (changes.status?.to === 'inactive') return 'deactivated';
  // Put back while its seller is not ready to sell, it is pending: that is no reactivation.
  if (changes.status?.from === 'inactive' && changes.status.to === 'active') return 'reactivated';
  return Object.keys(changes).every((field) => PRICE_FIELDS.has(field)) ? 'price_changed' : 'updated';
}
