import { isSameText } from '../../kernel/crypto/is-same-text.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type PayerChallenge, payerMessage } from './payer-challenge.rules.ts';

type HashPorts = Pick<Ports, 'keyedHash'>;

export const RANDOM_BYTES = 16;
const RANDOM_DIGITS = 2 * RANDOM_BYTES;

/** Random, and authenticated with what it is for: nothing is stored until it comes back signed. */
export async function challengeNonce(
  { keyedHash }: HashPorts,
  terms: Omit<PayerChallenge, 'nonce'>,
  random: string,
): Promise<string> {
  const mac = await keyedHash.hex('payer_challenge', payerMessage({ ...terms, nonce: random }));
  return `${random}${mac}`;
}

/** Whether we gave this challenge, for all that it says. */
export async function isChallengeOfOurs(ports: HashPorts, challenge: PayerChallenge): Promise<boolean> {
  const random = challenge.nonce.slice(0, RANDOM_DIGITS);
  return isSameText(await challengeNonce(ports, challenge, random), challenge.nonce);
}
