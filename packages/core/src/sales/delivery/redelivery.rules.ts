import { type EpochMs, epochOf, type IsoTime, MINUTE_MS } from '../../kernel/time.ts';
import type { Sale } from '../sale.ts';
import type { GivenAnswer } from './answers.store.ts';

const REFRESH_MS = 15 * MINUTE_MS;

/** While it is pushed, a request must not be given another answer beside it. */
export function isOwed({ givenAt, pushUntil }: GivenAnswer, now: IsoTime): boolean {
  return givenAt === null && (pushUntil === null || pushUntil <= now);
}

/** Whether content of this digest was given before: as what the receipt names, or as what the statement names. */
export function wasGiven(
  { contentDigest }: Pick<Sale, 'contentDigest'>,
  { redelivery, refreshedAt }: GivenAnswer,
  digest: string,
): boolean {
  if (redelivery?.statement.contentDigest === digest) return true;
  // An answer that was given in place of the one of the receipt is the only one.
  return digest === contentDigest && (redelivery === null || refreshedAt !== null);
}

/** One further answer, where the purchase was made on such terms, soon after the first and only after the first. */
export function mayRefresh(
  { payment }: Pick<Sale, 'payment'>,
  { givenAt, redelivery }: GivenAnswer,
  now: EpochMs,
): boolean {
  if (payment.redelivery !== 'fresh_once' || givenAt === null || redelivery !== null) return false;
  return now <= epochOf(givenAt) + REFRESH_MS;
}
