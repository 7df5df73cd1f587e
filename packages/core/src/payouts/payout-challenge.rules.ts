import { type SignInTerms, signInMessage } from '../kernel/sign-in-message.rules.ts';
import { MINUTE_MS } from '../kernel/time.ts';

export const CHALLENGE_MS = 10 * MINUTE_MS;
export const NONCE_BYTES = 16;

export interface ChallengeTerms extends Omit<SignInTerms, 'path' | 'statement'> {
  readonly sellerId: string;
}

/** What a wallet signs to be paid what a seller earns. */
export function challengeMessage({ sellerId, ...terms }: ChallengeTerms): string {
  const statement = `Pay the USDC that seller ${sellerId} earns to this account.`;
  return signInMessage({ ...terms, path: '/sell/payout-wallet', statement });
}
