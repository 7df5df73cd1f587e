import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { type SignInTerms, signInMessage } from '../kernel/sign-in-message.rules.ts';
import { type IsoTime, MINUTE_MS } from '../kernel/time.ts';

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

/** What a wallet that was paid signs to stay the one: for this change only, so it may be asked for again. */
export function cancelMessage(
  baseUrl: string,
  change: {
    readonly id: string;
    readonly sellerId: string;
    readonly previous: Hex;
    readonly previousChainId: number;
    readonly requestedAt: IsoTime;
    readonly effectiveAt: IsoTime;
  },
): string {
  return signInMessage({
    baseUrl,
    chainId: change.previousChainId,
    address: change.previous,
    nonce: change.id.replaceAll('-', ''),
    issuedAt: change.requestedAt,
    expiresAt: change.effectiveAt,
    statement: `Go on paying seller ${change.sellerId} to this account: cancel the change.`,
    path: `/sell/payouts/changes/${change.id}/cancel`,
  });
}
