import { fromBase64 } from '@agent-marketplace/core/kernel/crypto/encoding.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import type { Hex } from '@agent-marketplace/core/kernel/ports/chain.ts';
import { type TermsFault, UnacceptableTermsError } from './errors.ts';
import { KNOWN_TOKENS, type KnownToken } from './networks.data.ts';

const UNITS_PER_CENT = 10_000n;
/** A seller may take half a minute; and nobody's signature should lie about for long. */
const TIMEOUT_SECONDS = { min: 30, max: 300 };

/** What is asked, checked: only the price is left to be looked at. */
export interface Terms {
  readonly token: KnownToken;
  readonly payTo: Hex;
  readonly units: bigint;
  readonly amountCents: number;
  readonly timeoutSeconds: number;
  /** The terms as version 1 has them. */
  readonly v1: JsonObject;
  /** Null: the marketplace did not speak version 2. */
  readonly v2: {
    readonly accepted: JsonObject;
    readonly resource: JsonObject;
    readonly extensions: JsonObject;
  } | null;
}

/** What is to be paid for, and by whom. */
export interface Purpose {
  readonly path: string;
  readonly payer: string;
}

/**
 * Reads the terms out of a 402. The body is signed and the header is not, so that version 2 is used only if
 * it asks for the same as version 1.
 *
 * @throws UnacceptableTermsError if none of them is one to sign.
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

type Agreed = Omit<Terms, 'v1' | 'v2'>;

function readVersion1(v1: JsonObject, { path, payer }: Purpose): Agreed | TermsFault {
  const { scheme, network, asset, payTo, resource, maxAmountRequired, maxTimeoutSeconds } = v1;
  if (scheme !== 'exact') return 'scheme';
  const token = KNOWN_TOKENS.find((known) => network === known.network || network === caip2Of(known));
  if (token === undefined) return 'network';
  if (!isSame(asset, token.address) || !isDomainOf(v1.extra, token)) return 'asset';
  if (typeof payTo !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(payTo)) return 'recipient';
  if (/^0x0+$/.test(payTo) || isSame(payTo, payer)) return 'recipient';
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

function readVersion2(header: string, agreed: Agreed): Terms['v2'] {
  const required = decode(header);
  if (required === null || required.x402Version !== 2) {
    throw new UnacceptableTermsError('not_understood', { 'PAYMENT-REQUIRED': header.slice(0, 200) });
  }
  const { token, payTo, units, timeoutSeconds } = agreed;
  const accepted = listOf(required.accepts).find(
    (one) =>
      one.scheme === 'exact' &&
      one.network === caip2Of(token) &&
      isSame(one.asset, token.address) &&
      isDomainOf(one.extra, token) &&
      isSame(one.payTo, payTo) &&
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

/** The marketplace may know itself by another host than its callers do; the path says what is sold. */
function isResource(resource: unknown, path: string): boolean {
  if (typeof resource !== 'string' || !URL.canParse(resource)) return false;
  const [asked, wanted] = [new URL(resource), new URL(path, 'https://marketplace.invalid')];
  const sorted = ({ searchParams }: URL) => JSON.stringify([...searchParams].map(String).sort());
  return asked.pathname.endsWith(wanted.pathname) && sorted(asked) === sorted(wanted);
}

function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.toLowerCase() === other.toLowerCase();
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
