import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { readToAttest, saveAttestations } from './ratings.store.ts';

/** The next run, a minute later, continues. */
const PER_RUN = 100;

/**
 * Signs the attestations of ratings anew that do not count any more, or count again, so that they say so. A refund is
 * recorded in many places and must not wait for a signature; the rating does not count from that moment on.
 */
export async function attestRatings({
  market,
  signer,
  clock,
}: Pick<Ports, 'market' | 'signer' | 'clock'>): Promise<void> {
  const ratings = await readToAttest(market, PER_RUN);
  if (ratings.length === 0) return;
  const at = isoTime(clock.now());
  const attested = await Promise.all(
    ratings.map(async ({ purchaseId, isRefunded, isRemoved, attestation }) => {
      const { refunded: _refunded, removed: _removed, ...statement } = attestation.statement;
      const now = {
        ...statement,
        // A rating that counts again would be signed in the words of before: the log proves one leaf for each digest.
        statusAt: at,
        ...(isRefunded ? { refunded: true as const } : {}),
        ...(isRemoved ? { removed: true as const } : {}),
      };
      return { purchaseId, attestation: await signStatement(signer, now, at) };
    }),
  );
  await market.commit([saveAttestations(attested)]);
}
