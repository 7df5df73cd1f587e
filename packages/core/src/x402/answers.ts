import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { toBase64, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { type ErrorDefinition, Refusal } from '../kernel/errors.ts';
import type { PaymentFault, TransferAuthorization } from '../kernel/ports/chain.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { Listing } from '../listings/index.ts';
import { CHALLENGE_MS, type ChallengePorts, LONGEST_CHALLENGE, newChallenge } from './challenge.ts';
import { extensionsOf, indexTags, OFFER_RECEIPT } from './extensions.rules.ts';
import { challengeHeader, newMppChallenge } from './mpp/mpp-challenge.ts';
import { signedOffer } from './offers/offer-receipt.ts';
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

/** The result of a payment, in the header of either version; version 2 has the signed receipt, where there is room for it. */
export function resultHeaders(result: Result, receipt: JsonObject | null = null): Record<string, string> {
  const signed = encodeResult(result, 2, receipt);
  return {
    'PAYMENT-RESPONSE': signed.length <= MAX_HEADER_CHARACTERS ? signed : encodeResult(result, 2, null),
    'X-PAYMENT-RESPONSE': encodeResult(result, 1, null),
  };
}

function encodeResult(
  { chainId, authorization, ...result }: Result,
  version: 1 | 2,
  receipt: JsonObject | null,
): string {
  return base64Json({
    ...result,
    network: networkName(chainId, version),
    payer: authorization.from,
    ...(version === 2 && result.success ? { amount: String(authorization.units) } : {}),
    ...(receipt === null ? {} : { extensions: { [OFFER_RECEIPT]: receipt } }),
  });
}

type OfferPorts = ChallengePorts & Pick<Ports, 'signer'>;

/** The 402 that a probe without a payment gets: what it costs, in each protocol. Null: it is no query of a listing. */
export function paymentRequired(ports: OfferPorts, terms: Terms, listing: Listing | null): Promise<Refusal> {
  return challenge(ports, x402Errors.payment_required, 'Payment required', { terms, listing }, {});
}

/** The 402 for a payment that does not meet the terms, and these once more. */
export function paymentRefused(
  ports: OfferPorts,
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
  ports: OfferPorts,
  definition: ErrorDefinition,
  error: string,
  { terms, listing }: { readonly terms: Terms; readonly listing: Listing | null },
  headers: Readonly<Record<string, string>>,
): Promise<Refusal> {
  const [own, mpp, offer] = await Promise.all([
    newChallenge(ports, terms),
    newMppChallenge(ports, terms),
    // As long as the challenge is good.
    signedOffer(ports, terms, ports.clock.now() + CHALLENGE_MS),
  ]);
  return new Refusal(definition, {
    headers: {
      'PAYMENT-REQUIRED': termsHeader(error, challengeV2(terms, own), terms, { listing, offer }),
      'WWW-Authenticate': challengeHeader(mpp),
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

/** What the terms may leave out. */
interface Described {
  readonly listing: Listing | null;
  readonly offer: JsonObject | null;
}

const BARE: Described = { listing: null, offer: null };

/** Describes the listing, and has the signed offer, which repeats the query, where there is room for them. */
function termsHeader(error: string, accepted: Accepted, terms: Terms, { listing, offer }: Described): string {
  for (const described of [
    { listing, offer },
    { listing: listing && { ...listing, preview: {} }, offer },
    { listing: null, offer },
  ]) {
    const header = encodedTerms(error, accepted, terms, described);
    if (header.length <= MAX_HEADER_CHARACTERS) return header;
  }
  return encodedTerms(error, accepted, terms, BARE);
}

/** The terms repeat the query, so that the client may find it in them. */
export function requireShortQuery(terms: Terms): void {
  const accepted = challengeV2(terms, LONGEST_CHALLENGE);
  if (encodedTerms(LONGEST_ERROR, accepted, terms, BARE).length > MAX_HEADER_CHARACTERS)
    throw new Refusal(x402Errors.query_too_long);
}

function encodedTerms(
  error: string,
  accepted: Accepted,
  { resource: url, description, bodyDigest }: Terms,
  { listing, offer }: Described,
): string {
  return base64Json({
    x402Version: 2,
    error,
    resource: {
      url,
      description,
      mimeType: 'application/json',
      ...(listing && { serviceName: BRAND.platform, tags: indexTags(listing) }),
    },
    accepts: [accepted],
    extensions: extensionsOf(listing, bodyDigest === null ? 'url' : 'body', offer),
  });
}

function base64Json(value: object): string {
  return toBase64(utf8(JSON.stringify(value)));
}
