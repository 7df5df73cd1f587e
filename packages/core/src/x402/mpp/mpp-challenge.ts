import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import {
  fromBase64Url,
  fromHex,
  toBase64,
  toBase64Url,
  toHex,
  utf8,
} from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { withChecksum } from '../../kernel/address.ts';
import { isSameText } from '../../kernel/crypto/is-same-text.ts';
import type { PaymentFault, TransferAuthorization } from '../../kernel/ports/chain.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { epochOf, type IsoTime, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import type { ChallengedTerms, ChallengePorts } from '../challenge.ts';
import { type Terms, transferFault } from '../terms.rules.ts';
import { MPP_INTENT, MPP_METHOD, MPP_PAYLOAD, type MppChallenge, type MppCredential } from './mpp-wire.ts';

/** The payment is valid until then, too: it is the transfer's `validBefore`. */
const CHALLENGE_MS = 2 * MINUTE_MS;

/** USDC has six decimals on every chain. */
const DECIMALS = 6;
/** Of the contract by which tokens without signed transfers are paid; clients of the method `evm` want to know it. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

type MppTerms = ChallengedTerms & Pick<Terms, 'realm' | 'bodyDigest'>;

export async function newMppChallenge(ports: ChallengePorts, terms: MppTerms): Promise<MppChallenge> {
  const challenge = {
    realm: terms.realm,
    request: requestOf(terms),
    expires: isoTime(ports.clock.now() + CHALLENGE_MS),
    ...(terms.bodyDigest === null ? {} : { digest: bodyDigestOf(terms.bodyDigest) }),
    opaque: base64UrlJson({
      listing: terms.listingId,
      query: await canonicalDigest(terms.parameters),
      // Equal requests would share an id, and so a nonce.
      random: toHex(ports.ids.randomBytes(16)),
    }),
  };
  return { ...challenge, id: await idOf(ports, challenge) };
}

/** Why a credential is none for these terms; null: it answers a challenge that was given for them, in time. */
export async function mppFault(
  ports: Pick<Ports, 'keyedHash' | 'clock'>,
  terms: MppTerms,
  { challenge, source }: MppCredential,
  { from, to, units, nonce }: TransferAuthorization,
): Promise<PaymentFault | null> {
  if (challenge.realm !== terms.realm || !isSameText(challenge.id, await idOf(ports, challenge)))
    return 'invalid_challenge';
  const { listing, query } = boundBy(challenge);
  if (listing !== terms.listingId || query !== (await canonicalDigest(terms.parameters)))
    return 'invalid_challenge';
  if (challenge.digest !== (terms.bodyDigest === null ? undefined : bodyDigestOf(terms.bodyDigest)))
    return 'invalid_challenge';
  if (challenge.request !== requestOf(terms)) return 'invalid_payment_requirements';
  if (epochOf(challenge.expires) <= ports.clock.now()) return 'challenge_expired';
  // A transfer with another nonce might have been signed for anything.
  if (nonce !== nonceOf(challenge)) return 'invalid_challenge';
  const account = `did:pkh:eip155:${terms.token.chainId}:${from}`;
  if (source !== null && source.toLowerCase() !== account) return 'invalid_payload';
  return transferFault({ to, units }, terms);
}

/** What the transfer of a credential has for its nonce. */
export function nonceOf({ id, realm }: Pick<MppChallenge, 'id' | 'realm'>): Hex {
  return `0x${toHex(keccak_256(utf8(id + realm)))}`;
}

/** The challenge as `WWW-Authenticate` has it. */
export function challengeHeader({ id, realm, request, expires, digest, opaque }: MppChallenge): string {
  const parameters = { id, realm, method: MPP_METHOD, intent: MPP_INTENT, request, expires, digest, opaque };
  return `Payment ${Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
}

/** A settled payment, as `Payment-Receipt` has it. */
export function receiptHeader(transaction: Hex, settledAt: IsoTime): string {
  const receipt = { method: MPP_METHOD, reference: transaction, status: 'success', timestamp: settledAt };
  return base64UrlJson(receipt);
}

function bodyDigestOf(digest: Digest): string {
  const bytes = fromHex(digest.replace('sha256:', '')) ?? new Uint8Array();
  return `sha-256=:${toBase64(bytes)}:`;
}

function requestOf({ units, token, payTo }: ChallengedTerms): string {
  const request = {
    amount: String(units),
    currency: withChecksum(token.address),
    methodDetails: {
      chainId: token.chainId,
      credentialTypes: [MPP_PAYLOAD],
      decimals: DECIMALS,
      permit2Address: PERMIT2,
    },
    recipient: withChecksum(payTo),
  };
  return base64UrlJson(request);
}

/** What an authentic challenge was given for. */
function boundBy({ opaque }: MppChallenge): { readonly listing?: unknown; readonly query?: unknown } {
  return JSON.parse(new TextDecoder().decode(fromBase64Url(opaque) ?? utf8('{}')));
}

async function idOf(
  { keyedHash }: Pick<Ports, 'keyedHash'>,
  { realm, request, expires, digest = '', opaque }: Omit<MppChallenge, 'id'>,
): Promise<string> {
  const mac = await keyedHash.hex(
    'mpp_challenge',
    `${realm}|${MPP_METHOD}|${MPP_INTENT}|${request}|${expires}|${digest}|${opaque}`,
  );
  return toBase64Url(fromHex(mac) ?? new Uint8Array());
}

function base64UrlJson(value: object): string {
  return toBase64Url(utf8(canonicalJson(value)));
}
