import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { readAddress } from '../../kernel/address.ts';
import { type SignInTerms, signInMessage } from '../../kernel/sign-in-message.rules.ts';
import { type IsoTime, MINUTE_MS } from '../../kernel/time.ts';

export const CHALLENGE_MS = 10 * MINUTE_MS;

/** What an account signs to open what it paid for. */
export interface PayerChallenge extends Omit<SignInTerms, 'path' | 'statement' | 'requestId'> {
  readonly listingId: string;
  readonly parametersDigest: string;
  /** Of the EIP-3009 authorisation that paid. */
  readonly paymentNonce: Hex;
  /** Made of the parameters: the link that the signature gives opens the query with it. */
  readonly queryKey: string;
}

export function payerMessage({
  listingId,
  parametersDigest,
  paymentNonce,
  queryKey,
  ...terms
}: PayerChallenge): string {
  const statement = `Open the purchase from listing ${listingId} with query ${parametersDigest} that payment ${paymentNonce} of this account paid for.`;
  return signInMessage({
    ...terms,
    path: '/marketplace/purchases/payer-proof',
    statement,
    requestId: queryKey,
  });
}

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const PARTS = new RegExp(
  String.raw`^[^\n]+\n(?<address>0x[0-9a-fA-F]{40})\n\n` +
    `Open the purchase from listing (?<listingId>[0-9a-f-]{36}) with query (?<parametersDigest>[0-9a-z:]{64,80}) ` +
    String.raw`that payment (?<paymentNonce>0x[0-9a-f]{64}) of [^\n]+\n\n` +
    String.raw`URI: [^\n]+\nVersion: 1\nChain ID: [^\n]+\nNonce: (?<nonce>[0-9a-f]{96})\n` +
    `Issued At: (?<issuedAt>${TIME})\nExpiration Time: (?<expiresAt>${TIME})\nRequest ID: (?<queryKey>[0-9a-f]{32})$`,
);

/** Reads a message of ours; null: it is none. Proves nothing: its nonce does. */
export function readPayerMessage(
  message: string,
  place: Pick<SignInTerms, 'baseUrl' | 'chainId'>,
): PayerChallenge | null {
  const parts = PARTS.exec(message)?.groups;
  const address = readAddress(parts?.address ?? '');
  if (!parts || address === null) return null;
  const {
    listingId = '',
    parametersDigest = '',
    nonce = '',
    issuedAt = '',
    expiresAt = '',
    queryKey = '',
  } = parts;
  const paymentNonce = parts.paymentNonce as Hex;
  const challenge = {
    ...place,
    address,
    listingId,
    parametersDigest,
    paymentNonce,
    queryKey,
    nonce,
    issuedAt: issuedAt as IsoTime,
    expiresAt: expiresAt as IsoTime,
  };
  // Whatever the expression lets pass in between: only the very text that we write is ours.
  return payerMessage(challenge) === message ? challenge : null;
}
