import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { fromBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { MAX_WRITTEN_DEPTH } from '@agent-marketplace/protocol/json/canonical-json.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { parseStrictJson } from '@agent-marketplace/protocol/json/strict-json.ts';
import type { z } from 'zod';
import type { SignedTransfer } from '../kernel/ports/chain.ts';
import { envelope, exactPayload, paymentIdentifier } from './payment-header.schema.ts';

/** A payment as its header has it; `accepted` is what version 2 repeats of our terms. */
export interface SentPayment {
  /** What it says of itself, and what its header is for. */
  readonly version: number;
  readonly expected: 1 | 2;
  readonly scheme: string;
  readonly network: string;
  readonly accepted: NonNullable<z.output<typeof envelope>['accepted']> | null;
  /** Null: of another scheme. */
  readonly transfer: SignedTransfer | null;
  readonly identifier: string | null;
  /** What version 2 was told with the terms, and only its payer knows. */
  readonly challenge: string | null;
  /** As it was sent, but for the challenge, for whoever settles it. */
  readonly wire: JsonObject;
}

export type ReadPayment =
  | { readonly kind: 'none' }
  | { readonly kind: 'two' }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'read'; readonly payment: SentPayment };

export const MAX_HEADER_CHARACTERS = 16 * 1024;
const malformed = (reason: string): ReadPayment => ({ kind: 'malformed', reason });

/** Reads the payment of a request. What it is worth is for others to say. */
export function readPayment(headers: {
  readonly payment?: string | undefined;
  readonly paymentSignature?: string | undefined;
}): ReadPayment {
  const { payment, paymentSignature } = headers;
  if (payment !== undefined && paymentSignature !== undefined) return { kind: 'two' };
  const header = payment ?? paymentSignature;
  if (header === undefined) return { kind: 'none' };
  if (header.length > MAX_HEADER_CHARACTERS) return malformed('The header is longer than 16 KiB.');
  const decoded = decode(header);
  if (decoded === null) return malformed('The header is not base64 of a JSON object.');
  const read = envelope.safeParse(decoded);
  if (!read.success) return malformed(faultOf(read.error));
  const { x402Version: version, accepted = null, extensions } = read.data;
  const { scheme = accepted?.scheme, network = accepted?.network } = read.data;
  if (scheme === undefined || network === undefined)
    return malformed(version === 1 ? 'scheme and network are missing.' : 'accepted is missing.');
  const identified = paymentIdentifier.safeParse(extensions?.['payment-identifier'] ?? {});
  if (!identified.success) return malformed(faultOf(identified.error));
  const identifier = identified.data.info?.id ?? null;
  const expected: 1 | 2 = payment === undefined ? 2 : 1;
  const challenge = (expected === 2 && accepted?.extra?.challenge) || null;
  const wire = withoutChallenge(decoded);
  const sent = { version, expected, scheme, network, accepted, identifier, challenge, wire };
  if (scheme !== 'exact') return { kind: 'read', payment: { ...sent, transfer: null } };
  const exact = exactPayload.safeParse(decoded.payload);
  if (!exact.success) return malformed(`payload.${faultOf(exact.error)}`);
  return { kind: 'read', payment: { ...sent, transfer: transferOf(exact.data) } };
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
