import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { withChecksum } from './address.ts';
import type { IsoTime } from './time.ts';

export interface SignInTerms {
  readonly baseUrl: string;
  /** Of the operation that takes the signature. */
  readonly path: string;
  /** One line of what the signature allows. */
  readonly statement: string;
  readonly chainId: number;
  readonly address: Hex;
  /** Letters and digits, at least eight. */
  readonly nonce: string;
  readonly issuedAt: IsoTime;
  readonly expiresAt: IsoTime;
  /** What the site finds again in the message; left out: nothing. */
  readonly requestId?: string;
}

/** What a wallet shows and signs (EIP-4361): who asks, for what, once, and until when. */
export function signInMessage(terms: SignInTerms): string {
  const { host } = new URL(terms.baseUrl);
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    withChecksum(terms.address),
    '',
    terms.statement,
    '',
    `URI: ${terms.baseUrl}${terms.path}`,
    'Version: 1',
    `Chain ID: ${terms.chainId}`,
    `Nonce: ${terms.nonce}`,
    `Issued At: ${terms.issuedAt}`,
    `Expiration Time: ${terms.expiresAt}`,
    ...(terms.requestId === undefined ? [] : [`Request ID: ${terms.requestId}`]),
  ].join('\n');
}
