import type { Ports } from '../../kernel/ports/ports.ts';
import { dayOf, type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';
import { findListing } from '../../listings/index.ts';
import { railOf } from '../rails/rails.ts';
import { queryToAsk } from '../reservation/sealed-query.ts';
import type { Sale } from '../sale.ts';
import {
  countRedelivery,
  endRedeliveries,
  type GivenAnswer,
  isAlreadyGiven,
  recordGiven,
  recordRefreshed,
  requireAnswer,
} from './answers.store.ts';
import { noteRedelivery } from './count-outcome.ts';
import type { Undelivered } from './delivery-refusal.ts';
import { type Content, fetchContent } from './fetch-content.ts';
import { isOwed, mayRefresh, wasGiven } from './redelivery.rules.ts';
import { type Redelivery, signRedelivery } from './sign-redelivery.ts';

/** What became of asking the seller of a sale again. */
export type Redelivered =
  /** May be shown; `redelivery`: it is not what the receipt names, and this says so. */
  | (Content & { readonly redelivery: Redelivery | null })
  /** The seller answers something else now. It is another answer, and was not paid for. */
  | { readonly kind: 'changed' }
  /** The seller was asked as often as one payment allows; it was not asked now. */
  | { readonly kind: 'limited' }
  /** The sale is not of one answer: those of a tab are brought by its vouchers. The seller was not asked. */
  | { readonly kind: 'none' }
  /** The seller gives this answer no more, and is not asked for it again. */
  | { readonly kind: 'ended' }
  | Undelivered;

/**
 * Asks the seller of a sale again. One payment buys one answer, on any rail and however often it is asked for: what
 * differs from the answer that was given is not shown, but once and soon where the listing allows it. An answer that is
 * still owed is given once, whatever it is. What is free costs nobody anything, and is shown as it is now.
 */
export async function redeliver(ports: Ports, sale: Sale): Promise<Redelivered> {
  const now = ports.clock.now();
  if (!(await railOf(sale).hasAnswer(ports, sale))) return { kind: 'none' };
  const [listing, answer] = await Promise.all([
    findListing(ports.market, sale.listingId),
    countAnswer(ports, sale, isoTime(now)),
  ]);
  if (listing === null) throw new Error(`Purchase ${sale.id} has no listing.`);
  // What is free is not passed on any more; what was paid for is owed.
  if (sale.amountCents === 0 && (listing.blockedAt !== null || listing.seller.isSuspended))
    return { kind: 'ended' };
  if (answer === null) return { kind: 'limited' };
  if (answer.endedAt !== null) return { kind: 'ended' };
  const content = await fetchContent(
    ports,
    listing,
    {
      purchaseId: sale.id,
      query: queryToAsk(sale),
      redelivery: answer.redeliveries,
      isPaid: sale.amountCents > 0,
    },
    now,
  );
  // Reading what is free writes nothing.
  if (sale.amountCents > 0) noteRedelivery(ports, listing, content, answer.redeliveries);
  if (content.kind !== 'delivered')
    return answer.givenAt === null ? content : endIfGone(ports, sale, content);
  if (sale.amountCents === 0)
    return { ...content, redelivery: await redeliveryOf(ports, sale, content, now) };
  if (isOwed(answer, isoTime(now))) return giveOnce(ports, sale, content, recordGiven);
  const shown = showIfGiven(sale, content, answer);
  // The time is read anew: sellers may take half a minute.
  if (shown.kind !== 'changed' || !mayRefresh(sale, answer, ports.clock.now())) return shown;
  return giveOnce(ports, sale, content, recordRefreshed);
}

/** An answer that is still owed cannot be ended: it was paid for and never seen. */
async function endIfGone(ports: Ports, { id }: Sale, outcome: Undelivered): Promise<Redelivered> {
  if (outcome.kind !== 'failed' || outcome.reason !== 'gone') return outcome;
  await ports.market.commit([endRedeliveries(id, isoTime(ports.clock.now()))]);
  return { kind: 'ended' };
}

function countAnswer(
  { market }: Ports,
  { id, deliveredAt, amountCents }: Sale,
  now: IsoTime,
): Promise<GivenAnswer | null> {
  const isFree = amountCents === 0;
  return countRedelivery(market, { purchaseId: id, givenAt: deliveredAt ?? now, day: dayOf(now), isFree });
}

/** The statement of an answer that is not the one of the receipt; null for that one. */
async function redeliveryOf(ports: Ports, sale: Sale, { digest }: Content, now: EpochMs) {
  return digest === sale.contentDigest ? null : signRedelivery(ports, sale, digest, now);
}

/** What the seller says now, if it is what was given. */
function showIfGiven(sale: Sale, content: Content, answer: GivenAnswer): Redelivered {
  if (!wasGiven(sale, answer, content.digest)) return { kind: 'changed' };
  return { ...content, redelivery: content.digest === sale.contentDigest ? null : answer.redelivery };
}

/** Written down before it is shown: two requests at once must not be given two answers. */
async function giveOnce(
  ports: Ports,
  sale: Sale,
  content: Content,
  record: typeof recordGiven,
): Promise<Redelivered> {
  const now = ports.clock.now();
  const redelivery = await redeliveryOf(ports, sale, content, now);
  try {
    await ports.market.commit(record(sale.id, isoTime(now), redelivery));
    return { ...content, redelivery };
  } catch (error) {
    if (!isAlreadyGiven(error)) throw error;
    // Even what the receipt names is a second answer, where another request was given something else meanwhile.
    return showIfGiven(sale, content, await requireAnswer(ports.market, sale.id));
  }
}
