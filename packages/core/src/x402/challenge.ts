import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { isSameText } from '../kernel/crypto/is-same-text.ts';
import type { PaymentFault } from '../kernel/ports/chain.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { MINUTE_MS } from '../kernel/time.ts';
import type { Terms } from './terms.rules.ts';

/** Longer than a payer thinks about a price. What was paid in time is repeated without this end. */
export const CHALLENGE_MS = 15 * MINUTE_MS;

/** What a challenge is given for. */
export type ChallengedTerms = Pick<Terms, 'listingId' | 'parameters' | 'units' | 'token' | 'payTo'>;

export type ChallengePorts = Pick<Ports, 'keyedHash' | 'ids' | 'clock'>;

/**
 * Random, and authenticated with its terms and its end, so that it is good for nothing else. It is never on chain: whoever
 * repeats a payment of version 2 shows with it that it is theirs.
 */
export async function newChallenge(ports: ChallengePorts, terms: ChallengedTerms): Promise<string> {
  const random = toHex(ports.ids.randomBytes(16));
  const expiresAt = String(ports.clock.now() + CHALLENGE_MS);
  return `${random}.${expiresAt}.${await macOf(ports, terms, random, expiresAt)}`;
}

/** Why a challenge is none for these terms; null: it is one. */
export async function challengeFault(
  ports: ChallengePorts,
  terms: ChallengedTerms,
  challenge: string,
): Promise<PaymentFault | null> {
  const [random = '', expiresAt = '', mac = ''] = challenge.split('.');
  const expected = await macOf(ports, terms, random, expiresAt);
  if (!isSameText(mac, expected)) return 'invalid_challenge';
  return Number(expiresAt) > ports.clock.now() ? null : 'challenge_expired';
}

/** As long as any is. */
export const LONGEST_CHALLENGE = `${'x'.repeat(32)}.${Number.MAX_SAFE_INTEGER}.${'x'.repeat(64)}`;

async function macOf(
  { keyedHash }: Pick<Ports, 'keyedHash'>,
  { listingId, parameters, units, token, payTo }: ChallengedTerms,
  random: string,
  expiresAt: string,
): Promise<string> {
  const { chainId, address } = token;
  const bound = {
    asset: address,
    chainId,
    expiresAt,
    listingId,
    parameters,
    payTo,
    random,
    units: `${units}`,
  };
  return keyedHash.hex('x402_challenge', await canonicalDigest(bound));
}
