import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { toBase64, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { type ErrorDefinition, Refusal } from '../kernel/errors.ts';
import type { PaymentFault, TransferAuthorization } from '../kernel/ports/chain.ts';
import type { Listing } from '../listings/index.ts';
import { type ChallengePorts, LONGEST_CHALLENGE, newChallenge } from './challenge.ts';
import { extensionsOf } from './extensions.rules.ts';
import { challengeHeader, newMppChallenge } from './mpp/mpp-challenge.ts';
import { challengeV2, networkName, requirementsV1, type Terms } from './terms.rules.ts';
import { x402Errors } from './x402.errors.ts';

/** What was or was not transferred, as both versions report it. */
interface Result {
  readonly success: boolean;
  readonly errorReason?: PaymentFault;
  readonly transaction: Hex | '';
  readonly chainId: number;
  readonly authorization: TransferAuthorization;
}

/** The result of a payment, in the header of either version. */
export function resultHeaders(result: Result): Record<string, string> {
  return { 'PAYMENT-RESPONSE': encoded(result, 2), 'X-PAYMENT-RESPONSE': encoded(result, 1) };
}

function encoded({ chainId, authorization, ...result }: Result, version: 1 | 2): string {
  return base64Json({
    ...result,
    network: networkName(chainId, version),
    payer: authorization.from,
    ...(version === 2 && result.success ? { amount: String(authorization.units) } : {}),
  });
}

/** The 402 that a probe without a payment gets: what it costs, in each protocol. Null: it is no query of a listing. */
export function paymentRequired(
  ports: ChallengePorts,
  terms: Terms,
  listing: Listing | null,
): Promise<Refusal> {
  return challenge(ports, x402Errors.payment_required, 'Payment required', { terms, listing }, {});
}

/** The 402 for a payment that does not meet the terms, and these once more. */
export function paymentRefused(
  ports: ChallengePorts,
  fault: PaymentFault,
  terms: Terms,
  listing: Listing | null,
  authorization: TransferAuthorization | null,
): Promise<Refusal> {
  const { chainId } = terms.token;
  const result = { success: false, errorReason: fault, transaction: '', chainId } as const;
  const headers = authorization === null ? {} : resultHeaders({ ...result, authorization });
  return challenge(ports, x402Errors.payment_refused, fault, { terms, listing }, headers);
}

async function challenge(
  ports: ChallengePorts,
  definition: ErrorDefinition,
  error: string,
  { terms, listing }: { readonly terms: Terms; readonly listing: Listing | null },
  headers: Readonly<Record<string, string>>,
): Promise<Refusal> {
  const own = await newChallenge(ports, terms);
  return new Refusal(definition, {
    headers: {
      'PAYMENT-REQUIRED': termsHeader(error, challengeV2(terms, own), terms, listing),
      'WWW-Authenticate': challengeHeader(await newMppChallenge(ports, terms)),
      ...headers,
    },
    ownForm: { accepts: [requirementsV1(terms)], error, x402Version: 1 },
  });
}

type Accepted = ReturnType<typeof challengeV2>;

/**
 * Node refuses answers with more than 16 KiB of headers, and clients send this one back with a signature, which
 * may be that of a wallet yet to be deployed.
 */
const MAX_HEADER_CHARACTERS = 12 * 1024;
/** The longest reason of the platform's own, and more. */
const LONGEST_ERROR = 'x'.repeat(128);

/** Describes the listing where there is room for it. */
function termsHeader(error: string, accepted: Accepted, terms: Terms, listing: Listing | null): string {
  const described = encodedTerms(error, accepted, terms, listing);
  return described.length <= MAX_HEADER_CHARACTERS ? described : encodedTerms(error, accepted, terms, null);
}

/** The terms repeat the query, so that the client may find it in them. */
export function requireShortQuery(terms: Terms): void {
  const accepted = challengeV2(terms, LONGEST_CHALLENGE);
  if (encodedTerms(LONGEST_ERROR, accepted, terms, null).length > MAX_HEADER_CHARACTERS)
    throw new Refusal(x402Errors.query_too_long);
}

function encodedTerms(
  error: string,
  accepted: Accepted,
  { resource: url, description, bodyDigest }: Terms,
  listing: Listing | null,
): string {
  return base64Json({
    x402Version: 2,
    error,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [accepted],
    extensions: extensionsOf(listing, bodyDigest === null ? 'url' : 'body'),
  });
}

function base64Json(value: object): string {
  return toBase64(utf8(JSON.stringify(value)));
}
