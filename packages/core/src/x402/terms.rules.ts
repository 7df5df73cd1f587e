import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { type PaymentFault, type TransferAuthorization, UNITS_PER_CENT } from '../kernel/ports/chain.ts';
import type { X402Payment } from './read-payment.ts';

/** The challenge's timeout (clause: x402 pay-per-query). */
const MAX_TIMEOUT_SECONDS = 60;

/** What a query costs, and where the money goes. */
export interface Price {
  readonly units: bigint;
  readonly token: ChainToken;
  readonly payTo: Hex;
  /** The URL that is paid for. */
  readonly resource: string;
  readonly description: string;
}

/** A price and what it is for: a challenge is good for these terms alone. */
export interface Terms extends Price {
  readonly listingId: string;
  /** The query as it was sent. */
  readonly parameters: JsonObject;
  /** Of the body that it was sent in; null: it is in the URL. */
  readonly bodyDigest: Digest | null;
  /** The host that is paid. */
  readonly realm: string;
}

const NETWORKS: Readonly<Record<number, string>> = { 8453: 'base', 84532: 'base-sepolia' };

/** A network has a name in version 1 and a CAIP-2 id in version 2. */
export function networkName(chainId: number, version: 1 | 2): string {
  const caip2 = `eip155:${chainId}`;
  return version === 1 ? (NETWORKS[chainId] ?? caip2) : caip2;
}

export function unitsOf(priceCents: number): bigint {
  return BigInt(priceCents) * UNITS_PER_CENT;
}

/** PaymentRequirements of version 1. */
export function requirementsV1({ units, token, payTo, resource, description }: Price) {
  return {
    asset: token.address,
    description,
    extra: { name: token.name, version: token.version },
    maxAmountRequired: String(units),
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    mimeType: 'application/json',
    network: networkName(token.chainId, 1),
    payTo,
    resource,
    scheme: 'exact' as const,
  };
}

/** PaymentRequirements of version 2, as whoever settles is told them. */
export function requirementsV2({ units, token, payTo }: Price) {
  return {
    amount: String(units),
    asset: token.address,
    extra: { name: token.name, version: token.version },
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    network: networkName(token.chainId, 2),
    payTo,
    scheme: 'exact' as const,
  };
}

/** The same as the payer is told them. */
export function challengeV2(terms: Terms, challenge: string) {
  const { extra, ...requirements } = requirementsV2(terms);
  return { ...requirements, extra: { ...extra, challenge } };
}

/** Why a payment is none for these terms, in the words of the x402 specification; null: it is one. */
export function termsFault(payment: X402Payment, terms: Terms): PaymentFault | null {
  const { version, expected, scheme, network, accepted, transfer } = payment;
  if (version !== expected) return 'invalid_x402_version';
  if (scheme !== 'exact' || transfer === null) return 'invalid_scheme';
  if (network !== networkName(terms.token.chainId, expected)) return 'invalid_network';
  if (expected === 2) {
    if (accepted === null) return 'invalid_payload';
    if (accepted.scheme !== scheme) return 'invalid_scheme';
    if (accepted.network !== network) return 'invalid_network';
    if (!isSame(accepted.asset, terms.token.address)) return 'invalid_payment_requirements';
    if (!isSame(accepted.payTo, terms.payTo)) return RECIPIENT_FAULT;
    if (accepted.amount !== String(terms.units)) return VALUE_FAULT;
  }
  return transferFault(transfer.authorization, terms);
}

/** Why a transfer is none for these terms, whatever protocol it came by; null: it is one. */
export function transferFault(
  { to, units }: Pick<TransferAuthorization, 'to' | 'units'>,
  { payTo, units: price }: Pick<Terms, 'payTo' | 'units'>,
): PaymentFault | null {
  if (!isSame(to, payTo)) return RECIPIENT_FAULT;
  return units === price ? null : VALUE_FAULT;
}

const RECIPIENT_FAULT = 'invalid_exact_evm_payload_recipient_mismatch';
const VALUE_FAULT = 'invalid_exact_evm_payload_authorization_value';

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
