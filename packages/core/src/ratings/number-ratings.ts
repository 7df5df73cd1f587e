import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { ratingNumber } from '@agent-marketplace/protocol/rating-number.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { readToNumber, saveNumberings } from './ratings.store.ts';

/** The next run, a minute later, continues. */
const PER_RUN = 400;

/** Signs the numbers of new ratings, which the database gave them as they came: no buyer waits for a signature more. */
export async function numberRatings({
  market,
  signer,
  clock,
}: Pick<Ports, 'market' | 'signer' | 'clock'>): Promise<void> {
  const ratings = await readToNumber(market, PER_RUN);
  if (ratings.length === 0) return;
  const at = isoTime(clock.now());
  const numbered = await Promise.all(
    ratings.map(async ({ purchaseId, listing, number }) => ({
      purchaseId,
      numbering: await signStatement(signer, ratingNumber(listing, number), at),
    })),
  );
  await market.commit([saveNumberings(numbered)]);
}
