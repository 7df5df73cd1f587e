import { Refusal } from '../../kernel/errors.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, epochOf, type IsoTime, isoTime, SECOND_MS } from '../../kernel/time.ts';
import { findListing, type Listing } from '../../listings/index.ts';
import { purchaseErrors } from '../purchases.errors.ts';
import type { RailPorts } from '../rails/rail.ts';
import type { Sale } from '../sale.ts';
import { copyHeldUntil, nextHoldAt } from './copy-holds.rules.ts';
import { deleteCopyHolds, insertCopyHold, readCopyHolds } from './copy-holds.store.ts';

/** Two lapses a day apart, of which the later is a day old, do not count any more. */
const MEMORY_MS = 2 * DAY_MS;

type HoldPorts = Pick<RailPorts, 'market' | 'clock'>;

export interface Hold {
  readonly collectUntil: IsoTime;
  readonly statements: readonly Statement[];
}

/**
 * What a sale that was paid on a page holds: the copy of a limited or exclusive listing for half an hour at most, since
 * others would buy it. Null: this buyer or card has let two lapse, or keeps two already.
 */
export async function holdCopy(
  { market, clock }: HoldPorts,
  { id, buyerId, listingId }: Sale,
  instrument: string | null,
  collectUntil: IsoTime,
): Promise<Hold | null> {
  const listing = await findListing(market, listingId);
  if (listing === null || !isScarce(listing)) return { collectUntil, statements: [] };
  const now = clock.now();
  const since = isoTime(now - MEMORY_MS);
  const owner = { buyerId, instrument };
  const known = await readCopyHolds(market, owner, since);
  if (nextHoldAt(known, now) !== null) return null;
  const heldUntil = copyHeldUntil(collectUntil, now);
  const hold = { ...owner, purchaseId: id, heldUntil };
  return { collectUntil: heldUntil, statements: insertCopyHold(hold, since, known) };
}

/** Before a page is opened: a buyer who may have no copy held is told when it may. */
export async function requireCopyHold(
  { market, clock }: HoldPorts,
  listing: Listing,
  buyerId: string | null,
): Promise<void> {
  if (buyerId === null || !isScarce(listing)) return;
  const now = clock.now();
  const holds = await readCopyHolds(market, { buyerId, instrument: null }, isoTime(now - MEMORY_MS));
  const at = nextHoldAt(holds, now);
  if (at === null) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((epochOf(at) - now) / SECOND_MS));
  throw new Refusal(purchaseErrors.copy_holds_limited, { charged: false, retryAfterSeconds });
}

/** Deletes what no buyer is judged by any more. */
export async function forgetCopyHolds({ market, clock }: HoldPorts): Promise<void> {
  await market.commit([deleteCopyHolds(isoTime(clock.now() - MEMORY_MS))]);
}

const isScarce = ({ listingType }: Listing): boolean => listingType !== 'standard';
