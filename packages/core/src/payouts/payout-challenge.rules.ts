import { withChecksum } from '../kernel/address.ts';
import type { Hex } from '../kernel/ports/chain.ts';
import { type IsoTime, MINUTE_MS } from '../kernel/time.ts';

export const CHALLENGE_MS = 10 * MINUTE_MS;
export const NONCE_BYTES = 16;

export interface ChallengeTerms {
  readonly baseUrl: string;
  readonly sellerId: string;
  readonly chainId: number;
  readonly address: Hex;
  /** Letters and digits, at least eight. */
  readonly nonce: string;
  readonly issuedAt: IsoTime;
  readonly expiresAt: IsoTime;
}

/** What a wallet shows and signs (EIP-4361): who asks, for which seller, once, and until when. */
export function challengeMessage(terms: ChallengeTerms): string {
  const { host } = new URL(terms.baseUrl);
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    withChecksum(terms.address),
    '',
    `Pay the USDC that seller ${terms.sellerId} earns to this account.`,
    '',
    `URI: ${terms.baseUrl}/sell/payout-wallet`,
    'Version: 1',
    `Chain ID: ${terms.chainId}`,
    `Nonce: ${terms.nonce}`,
    `Issued At: ${terms.issuedAt}`,
    `Expiration Time: ${terms.expiresAt}`,
  ].join('\n');
}
