import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { fromBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { MAX_WRITTEN_DEPTH } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import type * as z from 'zod';
import type { SignedTransfer } from '../kernel/ports/chain.ts';
import { MPP_INTENT, MPP_METHOD, MPP_PAYLOAD, type MppCredential } from './mpp/mpp-wire.ts';
import {
  chargePayload,
  envelope,
  exactPayload,
  mppCredential,
  paymentIdentifier,
} from './payment-header.schema.ts';

/** A payment, whatever protocol it came by. */
interface CarriedPayment {
  /** Null: of another scheme. */
  readonly transfer: SignedTransfer | null;
  /** The payer's own id for it. */
  readonly identifier: string | null;
  /** What it was told with the terms, and only its payer knows; null: version 1 of x402 has nothing of the kind. */
  readonly challenge: string | null;
}

/** A payment as a header of x402 has it; `accepted` is what version 2 repeats of our terms. */
export interface X402Payment extends CarriedPayment {
  readonly protocol: 'x402';
  /** What it says of itself, and what its header is for. */
  readonly version: number;
  readonly expected: 1 | 2;
  readonly scheme: string;
  readonly network: string;
  readonly accepted: NonNullable<z.output<typeof envelope>['accepted']> | null;
  /** As it was sent, but for the challenge, for whoever settles it. */
  readonly wire: JsonObject;
}

/** A payment as `Authorization: Payment` has it. */
export interface MppPayment extends CarriedPayment {
  readonly protocol: 'mpp';
  readonly credential: MppCredential;
}

export type SentPayment = X402Payment | MppPayment;

export type ReadPayment =
  | { readonly kind: 'none' }
  | { readonly kind: 'two' }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'read'; readonly payment: SentPayment };

export const MAX_HEADER_CHARACTERS = 16 * 1024;
const PAYMENT_SCHEME = /^Payment\s+/i;
const malformed = (reason: string): ReadPayment => ({ kind: 'malformed', reason });

/** Reads the payment of a request. What it is worth is for others to say. */
export function readPayment({
  payment,
  paymentSignature,
  credential,
}: {
  readonly payment?: string | undefined;
  readonly paymentSignature?: string | undefined;
  readonly credential?: string | undefined;
}): ReadPayment {
  const headers = [payment, paymentSignature, credential].filter((header) => header !== undefined);
  if (headers.length > 1) return { kind: 'two' };
  const [header] = headers;
  if (header === undefined) return { kind: 'none' };
  if (header.length > MAX_HEADER_CHARACTERS) return malformed('It is longer than 16 KiB.');
  const decoded = decode(credential === undefined ? header : header.replace(PAYMENT_SCHEME, ''));
  if (decoded === null) return malformed('It is not base64 of a JSON object.');
  return credential === undefined
    ? readX402(decoded, payment === undefined ? 2 : 1)
    : readCredential(decoded);
}

function readX402(decoded: JsonObject, expected: 1 | 2): ReadPayment {
  const read = envelope.safeParse(decoded);
  if (!read.success) return malformed(faultOf(read.error));
  const { x402Version: version, accepted = null, extensions } = read.data;
  const { scheme = accepted?.scheme, network = accepted?.network } = read.data;
  if (scheme === undefined || network === undefined)
    return malformed(version === 1 ? 'scheme and network are missing.' : 'accepted is missing.');
  const identified = paymentIdentifier.safeParse(extensions?.['payment-identifier'] ?? {});
  if (!identified.success) return malformed(faultOf(identified.error));
  const identifier = identified.data.info?.id ?? null;
  const challenge = (expected === 2 && accepted?.extra?.challenge) || null;
  const wire = withoutChallenge(decoded);
  const protocol = 'x402' as const;
  const sent = { protocol, version, expected, scheme, network, accepted, identifier, challenge, wire };
  if (scheme !== 'exact') return { kind: 'read', payment: { ...sent, transfer: null } };
  const exact = exactPayload.safeParse(decoded.payload);
  if (!exact.success) return malformed(`payload.${faultOf(exact.error)}`);
  return { kind: 'read', payment: { ...sent, transfer: transferOf(exact.data) } };
}

function readCredential(decoded: JsonObject): ReadPayment {
  const read = mppCredential.safeParse(decoded);
  if (!read.success) return malformed(faultOf(read.error));
  const { challenge, payload, source = null } = read.data;
  const credential = { challenge, source };
  const sent = { protocol: 'mpp' as const, credential, identifier: null, challenge: challenge.id };
  const isKnown =
    challenge.method === MPP_METHOD && challenge.intent === MPP_INTENT && payload.type === MPP_PAYLOAD;
  if (!isKnown) return { kind: 'read', payment: { ...sent, transfer: null } };
  const charge = chargePayload.safeParse(payload);
  if (!charge.success) return malformed(`payload.${faultOf(charge.error)}`);
  const { signature, ...authorization } = charge.data;
  return { kind: 'read', payment: { ...sent, transfer: transferOf({ signature, authorization }) } };
}

/** Nobody else may learn it: with it and the chain, anyone could repeat the payment. */
function withoutChallenge(payment: JsonObject): JsonObject {
  const { accepted } = payment;
  if (!isJsonObject(accepted) || !isJsonObject(accepted.extra)) return payment;
  const { challenge: _challenge, ...extra } = accepted.extra;
  return { ...payment, accepted: { ...accepted, extra } };
}

function decode(header: string): JsonObject | null {
  const standard = header.trim().replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  const bytes = fromBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
  if (bytes === null) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // Version 2 repeats our terms, with the listing's schemas in them.
    const parsed = parseStrictJson(text, { maxDepth: MAX_WRITTEN_DEPTH });
    return parsed.ok && isJsonObject(parsed.value) ? parsed.value : null;
  } catch {
    return null;
  }
}

/** Hexadecimal has two spellings; from here on there is one. */
function transferOf({ signature, authorization }: z.output<typeof exactPayload>): SignedTransfer {
  const lower = (text: string) => text.toLowerCase() as Hex;
  return {
    signature: lower(signature),
    authorization: {
      from: lower(authorization.from),
      to: lower(authorization.to),
      units: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: lower(authorization.nonce),
    },
  };
}

function faultOf({ issues }: z.ZodError): string {
  const [first] = issues;
  return `${first?.path.map(String).join('.')}: ${first?.message}`.slice(0, 300);
}
