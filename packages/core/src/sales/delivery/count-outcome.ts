import { type CountedPurchase, countDelivered, countUndelivered } from '../../agents/index.ts';
import { countedAs, noteEndpointRequest, verdictOf } from '../../delivery/index.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../../kernel/time.ts';
import type { Listing } from '../../listings/index.ts';
import {
  countAttempt,
  type DeliveryMeasures,
  deliveredAttempt,
  undeliveredAttempt,
} from '../../quality/index.ts';
import type { Undelivered } from './delivery-refusal.ts';

/** What a delivery counts as for the seller's reputation and its measured quality, to be committed with its sale. */
export function countDeliveredOf(
  sale: CountedPurchase,
  measures: DeliveryMeasures,
  at: IsoTime,
): Statement[] {
  const { latencyMs } = measures;
  return [
    countDelivered(sale),
    ...countAttempt(sale, deliveredAttempt(measures, at)),
    noteRequest(sale, { kind: 'delivered', latencyMs }, at),
  ];
}

/** The same of what was not delivered; nothing for the platform itself. */
export function countUndeliveredOf(
  listing: Listing,
  outcome: Undelivered,
  purchase: CountedPurchase,
  at: IsoTime,
): Statement[] {
  const counts = countFailureOf(listing, outcome, purchase, at);
  return listing.seller.kind === 'platform' ? counts : [...counts, noteRequest(purchase, outcome, at)];
}

/**
 * Without a place among the last requests of the seller's endpoint.
 *
 * @param recordedBy as `countAttempt` has it.
 */
export function countFailureOf(
  { seller }: Listing,
  outcome: Undelivered,
  purchase: CountedPurchase,
  at: IsoTime,
  recordedBy?: Parameters<typeof countAttempt>[2],
): Statement[] {
  if (seller.kind === 'platform') return [];
  const counted = countedAs(outcome);
  const attempt = undeliveredAttempt(outcome, at);
  return [
    ...(attempt === null ? [] : countAttempt(purchase, attempt, recordedBy)),
    ...(counted === null ? [] : [countUndelivered(purchase, counted, at)]),
  ];
}

/** A redelivery records nothing with which it could be committed: it is noted beside the answer. */
export function noteRedelivery(
  { background, clock, market }: Pick<Ports, 'background' | 'clock' | 'market'>,
  { id: listingId, seller }: Listing,
  outcome: Outcome,
  redelivery: number,
): void {
  if (seller.kind === 'platform') return;
  const request = { listingId, sellerId: seller.id };
  background.run(market.commit([noteRequest(request, outcome, isoTime(clock.now()), redelivery)]));
}

type Outcome = Undelivered | { readonly kind: 'delivered'; readonly latencyMs: number | null };

/** Shows a request and its verdict to the seller: nothing of what was asked or answered. */
export function noteRequest(
  { listingId, sellerId }: Pick<CountedPurchase, 'listingId' | 'sellerId'>,
  outcome: Outcome,
  at: IsoTime,
  redelivery = 0,
): Statement {
  const verdict = outcome.kind === 'delivered' ? outcome.kind : verdictOf(outcome);
  return noteEndpointRequest(sellerId, {
    at,
    latencyMs: outcome.latencyMs ?? null,
    listingId,
    redelivery,
    verdict,
  });
}
