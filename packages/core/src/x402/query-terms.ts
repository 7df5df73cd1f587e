import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { PaymentFault, SignedTransfer, WirePayment } from '../kernel/ports/chain.ts';
import type { Listing } from '../listings/index.ts';
import type { UsdcPayment } from '../sales/index.ts';
import { challengeFault } from './challenge.ts';
import { mppFault } from './mpp/mpp-challenge.ts';
import { queryStringOf, type SentQuery } from './query-parameters.rules.ts';
import type { SentPayment } from './read-payment.ts';
import {
  requirementsV1,
  requirementsV2,
  type Terms,
  termsFault,
  transferFault,
  unitsOf,
} from './terms.rules.ts';
import { x402Errors } from './x402.errors.ts';

type Context = Pick<OperationContext<'optional'>, 'ports' | 'baseUrl'>;

export interface QueriedListing {
  readonly listing: Listing;
  readonly query: SentQuery;
  /** What is recorded of the payment that came. */
  readonly recorded: readonly UsdcPayment[];
}

/** What the query costs now. */
export function termsOf(
  { ports, baseUrl }: Context,
  { listing, query }: Pick<QueriedListing, 'listing' | 'query'>,
): Terms {
  const { chain } = ports;
  if (chain === null) throw new Refusal(x402Errors.x402_not_available);
  const path = `/x402/listings/${listing.id}/query`;
  return {
    units: unitsOf(listing.priceCents),
    token: chain.token,
    payTo: chain.payTo,
    resource: `${baseUrl}${path}${query.from === 'url' ? queryStringOf(query.parameters) : ''}`,
    description: listing.title,
    listingId: listing.id,
    parameters: query.parameters,
    bodyDigest: query.from === 'body' ? query.bodyDigest : null,
    realm: new URL(baseUrl).host,
  };
}

/** Why a payment is none for these terms. The challenge of what was paid with before was good then. */
export async function faultOf(
  { ports }: Pick<Context, 'ports'>,
  { recorded }: Pick<QueriedListing, 'recorded'>,
  sent: SentPayment,
  { terms, binding }: { readonly terms: Terms; readonly binding: string },
): Promise<PaymentFault | null> {
  const isRepeated = recorded.some((one) => one.binding === binding);
  if (sent.protocol === 'mpp') {
    if (sent.transfer === null) return 'invalid_scheme';
    const { authorization } = sent.transfer;
    return isRepeated
      ? transferFault(authorization, terms)
      : mppFault(ports, terms, sent.credential, authorization);
  }
  const fault = termsFault(sent, terms);
  if (fault !== null || sent.challenge === null || isRepeated) return fault;
  return challengeFault(ports, terms, sent.challenge);
}

/** What a facilitator is shown. */
export function wireOf(sent: SentPayment, transfer: SignedTransfer, terms: Terms): WirePayment {
  if (sent.protocol === 'x402')
    return {
      x402Version: sent.expected,
      paymentPayload: sent.wire,
      paymentRequirements: sent.expected === 1 ? requirementsV1(terms) : requirementsV2(terms),
    };
  const { units, validAfter, validBefore, ...accounts } = transfer.authorization;
  const times = { validAfter: String(validAfter), validBefore: String(validBefore) };
  const authorization = { ...accounts, value: String(units), ...times };
  const paymentRequirements = requirementsV2(terms);
  const payload = { signature: transfer.signature, authorization };
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: paymentRequirements, payload },
    paymentRequirements,
  };
}

/** A payment that has another payment's id. */
export function refuseUsedIdentifier(recorded: readonly UsdcPayment[], { identifier }: SentPayment): void {
  if (identifier !== null && recorded.some((one) => one.isLive && one.paymentIdentifier === identifier))
    throw new Refusal(x402Errors.payment_identifier_reused);
}
