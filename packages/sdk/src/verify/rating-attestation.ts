import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { sha256Digest } from '../crypto.ts';
import type { KeySet } from '../keys.ts';
import { verifyStatement } from './statement.ts';
import { invalid, type Verification } from './verification.ts';

export const RATING_ATTESTATION = 'rating_attestation';

/** The content of a valid rating attestation. */
export interface VerifiedRating {
  /** `rating`, `listingId`, `sellerId`, `amountBand`, `commentDigest`, `purchaseDigest`, `ratedAt`; `refunded` or `removed` if it does not count. */
  readonly statement: JsonObject;
  /** `matches`: salt and purchase id match the attestation. `unknown`: one of them is missing. */
  readonly purchase: 'matches' | 'unknown';
  /**
   * Of `refunded` and `removed`, those that the rating says otherwise than the attestation. Only whoever signed the page says them:
   * the attestation is signed anew within a minute.
   */
  readonly unsigned: readonly string[];
}

const STATES = ['refunded', 'removed'] as const;

/**
 * Checks a rating from `GET /marketplace/listings/{id}/ratings` or from the answer to its author: that the
 * marketplace attests that a paying buyer left these stars and this comment.
 *
 * If there is a `listingId`, it is compared. Ratings of a list do not repeat it, so add the expected listing:
 * `{ ...rating, listingId }`. With `salt` and `purchaseId`, which only the buyer has, the purchase is
 * compared too. Two ratings of one purchase have the same `purchaseDigest`; the later one counts.
 */
export async function verifyRatingAttestation(
  rating: unknown,
  keys: KeySet,
): Promise<Verification<VerifiedRating>> {
  if (!isJsonObject(rating)) return invalid('malformed', 'The rating is not an object.');
  const checked = await verifyStatement(rating.attestation, keys, RATING_ATTESTATION);
  if (!checked.valid) return checked;
  const { statement } = checked;
  const wrong = (what: string) => invalid('wrong_rating', `The attestation is of another ${what}.`);

  if (statement.rating !== rating.rating) return wrong('number of stars');
  if (rating.listingId !== undefined && statement.listingId !== rating.listingId) return wrong('listing');
  const { comment = null, salt, purchaseId } = rating;
  const digest = typeof comment === 'string' ? await sha256Digest(comment) : comment;
  // The comment of a rating that was removed is not shown any more.
  const isHidden = statement.removed === true && digest === null;
  if (statement.commentDigest !== digest && !isHidden) return wrong('comment');
  const unsigned = STATES.filter(
    (name) => rating[name] !== undefined && rating[name] !== (statement[name] === true),
  );
  if (typeof salt !== 'string' || typeof purchaseId !== 'string')
    return { ...checked, purchase: 'unknown', unsigned };
  return statement.purchaseDigest === (await sha256Digest(`${salt}.${purchaseId}`))
    ? { ...checked, purchase: 'matches', unsigned }
    : wrong('purchase');
}
