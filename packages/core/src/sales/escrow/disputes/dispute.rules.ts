import { DAY_MS, type EpochMs, epochOf, type IsoTime, isoTime } from '../../../kernel/time.ts';
import type { GivenAnswer } from '../../delivery/answers.store.ts';
import type { Decision, Sale } from '../../sale.ts';

/** So long the operator has to decide a dispute; then the rule does. */
const DECISION_DAYS = 14;
/** So many disputes a buyer may have open at once, of whom none was rejected. */
const MOST_OPEN = 20;
const REJECTED_DAYS = 90;

/** When the rule decides a dispute that the operator does not. */
export const decideBy = (openedAt: IsoTime): IsoTime => isoTime(epochOf(openedAt) + DECISION_DAYS * DAY_MS);

/** Rejected disputes count from then on. */
export const rejectedSince = (now: EpochMs): IsoTime => isoTime(now - REJECTED_DAYS * DAY_MS);

/** How many disputes a buyer may have open at once: each that was rejected lately halves it, down to one. */
export function mostOpenDisputes(rejected: number): number {
  return Math.max(1, Math.floor(MOST_OPEN / 2 ** rejected));
}

/** Why the rule decided as it did: `conformed` for the seller, everything else for the buyer. */
export type DisputeGround = 'conformed' | 'not_shipped' | 'not_given' | 'other_answer' | 'schema_unchecked';

type Facts = Pick<Sale, 'contentDigest' | 'receipt' | 'shipment'>;

/**
 * Where the money of a dispute goes that nobody decided: to the seller if its delivery conformed to the digest and the
 * schema of the receipt. Content is checked against both before it is captured, and never kept, so what can be wrong
 * with it is: the order was not shipped, the answer was not given to the buyer, another one was, or the receipt is of
 * before deliveries were checked. What the seller answers when it is asked again, or that it answers no more, is not
 * looked at: the first answer is judged.
 */
export function groundOf(
  { contentDigest, receipt, shipment }: Facts,
  /** Null: it was given in the reply to the purchase. */
  answer: Pick<GivenAnswer, 'givenAt' | 'redelivery' | 'refreshedAt'> | null,
): DisputeGround {
  if (shipment !== null && shipment.shippedAt === null) return 'not_shipped';
  if (answer !== null && answer.givenAt === null) return 'not_given';
  if (answer !== null && answer.redelivery !== null && answer.refreshedAt === null) return 'other_answer';
  if (receipt === null || receipt.statement.contentDigest !== contentDigest) return 'other_answer';
  if (receipt.statement.outputSchemaDigest === undefined) return 'schema_unchecked';
  return 'conformed';
}

export const decisionOn = (ground: DisputeGround): Decision =>
  ground === 'conformed' ? 'release' : 'refund';
