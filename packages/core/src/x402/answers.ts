import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { toBase64, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { type ErrorDefinition, Refusal } from '../kernel/errors.ts';
import type { PaymentFault, TransferAuthorization } from '../kernel/ports/chain.ts';
import type { Listing } from '../listings/index.ts';
import { extensionsOf } from './extensions.rules.ts';
import { challengeHeader } from './mpp/mpp-challenge.ts';
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
export function paymentRequired(terms: Terms, listing: Listing | null): Refusal {
  return challenge(x402Errors.payment_required, 'Payment required', terms, listing, {});
}

/** The 402 for a payment that does not meet the terms, and these once more. */
export function paymentRefused(
  fault: PaymentFault,
  terms: Terms,
  listing: Listing | null,
  authorization: TransferAuthorization | null,
): Refusal {
  const { chainId } = terms.token;
  const result = { success: false, errorReason: fault, transaction: '', chainId } as const;
  const headers = authorization === null ? {} : resultHeaders({ ...result, authorization });
  return challenge(x402Errors.payment_refused, fault, terms, listing, headers);
}

function challenge(
  definition: ErrorDefinition,
  error: string,
  terms: Terms,
  listing: Listing | null,
  headers: Readonly<Record<string, string>>,
): Refusal {
  return new Refusal(definition, {
    headers: {
      'PAYMENT-REQUIRED': termsHeader(error, terms, listing),
      'WWW-Authenticate': challengeHeader(terms.mpp),
      ...headers,
    },
    ownForm: { accepts: [requirementsV1(terms)], error, x402Version: 1 },
  });
}

/**
 * Node refuses answers with more than 16 KiB of headers, and clients send this one back with a signature, which
 * may be that of a wallet yet to be deployed.
 */
const MAX_HEADER_CHARACTERS = 12 * 1024;
/** The longest reason of the platform's own, and more. */
const LONGEST_ERROR = 'x'.repeat(128);

/** Describes the listing where there is room for it. */
function termsHeader(error: string, terms: Terms, listing: Listing | null): string {
  const described = encodedTerms(error, terms, listing);
  return described.length <= MAX_HEADER_CHARACTERS ? described : encodedTerms(error, terms, null);
}

/** The terms repeat the query, so that the client may find it in them. */
export function requireShortQuery(terms: Terms): void {
  if (encodedTerms(LONGEST_ERROR, terms, null).length > MAX_HEADER_CHARACTERS)
    throw new Refusal(x402Errors.query_too_long);
}

function encodedTerms(error: string, terms: Terms, listing: Listing | null): string {
  const { resource: url, description } = terms;
  return base64Json({
    x402Version: 2,
    error,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [challengeV2(terms)],
    extensions: extensionsOf(listing),
  });
}

function base64Json(value: object): string {
  return toBase64(utf8(JSON.stringify(value)));
}
