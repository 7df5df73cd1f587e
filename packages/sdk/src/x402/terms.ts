import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { fromBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { equalsIgnoringCase } from './equals-ignoring-case.ts';
import { type TermsFault, UnacceptableTermsError } from './errors.ts';
import { KNOWN_TOKENS, type KnownToken } from './networks.data.ts';

const UNITS_PER_CENT = 10_000n;
/** A seller may take half a minute. A signature should not stay valid for long. */
const TIMEOUT_SECONDS = { min: 30, max: 300 };

/** Checked terms: only the price is still to be decided. */
export interface Terms {
  readonly token: KnownToken;
  readonly payTo: Hex;
  readonly units: bigint;
  readonly amountCents: number;
  readonly timeoutSeconds: number;
  /** The terms of version 1. */
  readonly v1: JsonObject;
  /** Null if the marketplace sent no version 2. */
  readonly v2: {
    readonly accepted: JsonObject;
    readonly resource: JsonObject;
    readonly extensions: JsonObject;
  } | null;
}

/** The resource to pay for, and the payer. */
export interface Purpose {
  readonly path: string;
  readonly payer: string;
}

/**
 * Reads the terms of a 402. Its body is signed and its header is not, so version 2 is used only if it equals
 * version 1.
 *
 * @throws UnacceptableTermsError if none of the terms is acceptable.
 */
export function readTerms(body: JsonObject, header: string | null, purpose: Purpose): Terms {
  const offered = listOf(body.accepts);
  let first: { fault: TermsFault; v1: JsonObject } | null = null;
  for (const v1 of offered) {
    const read = readVersion1(v1, purpose);
    if (typeof read !== 'string')
      return { ...read, v1, v2: header === null ? null : readVersion2(header, read) };
    first ??= { fault: read, v1 };
  }
  throw new UnacceptableTermsError(first?.fault ?? 'not_understood', first?.v1 ?? body);
}

type CommonTerms = Omit<Terms, 'v1' | 'v2'>;

function readVersion1(v1: JsonObject, { path, payer }: Purpose): CommonTerms | TermsFault {
  const { scheme, network, asset, payTo, resource, maxAmountRequired, maxTimeoutSeconds } = v1;
  if (scheme !== 'exact') return 'scheme';
  const token = KNOWN_TOKENS.find((known) => network === known.network || network === caip2Of(known));
  if (token === undefined) return 'network';
  if (!equalsIgnoringCase(asset, token.address) || !isDomainOf(v1.extra, token)) return 'asset';
  if (typeof payTo !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(payTo)) return 'recipient';
  if (/^0x0+$/.test(payTo) || equalsIgnoringCase(payTo, payer)) return 'recipient';
  if (!isResource(resource, path)) return 'resource';
  if (typeof maxAmountRequired !== 'string' || !/^[1-9]\d{0,20}$/.test(maxAmountRequired)) return 'amount';
  const units = BigInt(maxAmountRequired);
  const amountCents = Number(units / UNITS_PER_CENT);
  if (units % UNITS_PER_CENT !== 0n || !Number.isSafeInteger(amountCents)) return 'amount';
  const isSane =
    typeof maxTimeoutSeconds === 'number' &&
    Number.isInteger(maxTimeoutSeconds) &&
    maxTimeoutSeconds >= TIMEOUT_SECONDS.min &&
    maxTimeoutSeconds <= TIMEOUT_SECONDS.max;
  if (!isSane) return 'timeout';
  return { token, payTo: payTo as Hex, units, amountCents, timeoutSeconds: maxTimeoutSeconds };
}

function readVersion2(header: string, common: CommonTerms): Terms['v2'] {
  const required = decode(header);
  if (required === null || required.x402Version !== 2) {
    throw new UnacceptableTermsError('not_understood', { 'PAYMENT-REQUIRED': header.slice(0, 200) });
  }
  const { token, payTo, units, timeoutSeconds } = common;
  const accepted = listOf(required.accepts).find(
    (one) =>
      one.scheme === 'exact' &&
      one.network === caip2Of(token) &&
      equalsIgnoringCase(one.asset, token.address) &&
      isDomainOf(one.extra, token) &&
      equalsIgnoringCase(one.payTo, payTo) &&
      one.amount === String(units) &&
      one.maxTimeoutSeconds === timeoutSeconds,
  );
  if (accepted === undefined) throw new UnacceptableTermsError('not_understood', required);
  const { resource, extensions } = required;
  return {
    accepted,
    resource: isJsonObject(resource) ? resource : {},
    extensions: isJsonObject(extensions) ? extensions : {},
  };
}

function caip2Of({ chainId }: KnownToken): string {
  return `eip155:${chainId}`;
}

function isDomainOf(extra: unknown, { name, version }: KnownToken): boolean {
  return isJsonObject(extra) && extra.name === name && extra.version === version;
}

/** The marketplace may have another host name than the one you call, so only path and query are compared. */
function isResource(resource: unknown, path: string): boolean {
  if (typeof resource !== 'string' || !URL.canParse(resource)) return false;
  const [offeredUrl, expectedUrl] = [new URL(resource), new URL(path, 'https://marketplace.invalid')];
  const sorted = ({ searchParams }: URL) => JSON.stringify([...searchParams].map(String).sort());
  return offeredUrl.pathname.endsWith(expectedUrl.pathname) && sorted(offeredUrl) === sorted(expectedUrl);
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function decode(header: string): JsonObject | null {
  const bytes = fromBase64(header);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes ?? undefined));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
