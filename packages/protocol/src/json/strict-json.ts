import { MAX_JSON_DEPTH } from './canonical-json.ts';
import { isExactInteger } from './exact-integer.ts';
import type { Json, JsonObject } from './json.ts';
import { endOfNumber, endOfString, pathOfDuplicateKey, pathOfPosition, pathOfScalar } from './json-text.ts';

export type StrictJsonReason =
  | 'invalid'
  | 'too_deep'
  | 'too_many_values'
  | 'duplicate_key'
  | 'number_not_exact'
  | 'lone_surrogate';

export interface StrictJsonLimits {
  readonly maxDepth?: number;
  /** Containers, texts, numbers, booleans and nulls together; keys are none. */
  readonly maxValues?: number;
  /**
   * Refuses an integer literal that no double holds exactly: its value would be altered in silence. `or_canonical` takes
   * those that RFC 8785 writes for a double, such as 123456789012345680000: texts that we wrote ourselves have them.
   */
  readonly exactIntegers?: boolean | 'or_canonical';
}

/** The most values that a delivery or a request holds: its parsed form takes many times the memory of its text. */
export const MAX_JSON_VALUES = 200_000;

/** For what is sold, asked for or shown: it is kept as it was sent, or refused. */
export const AS_SENT = { exactIntegers: true, maxValues: MAX_JSON_VALUES } as const;

/** For what we wrote ourselves, as it comes back. */
export const AS_WRITTEN = { exactIntegers: 'or_canonical' } as const;

/** `path` is a JSON Pointer to the fault, where it is known; long keys in it are shortened. */
export type StrictJsonResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: StrictJsonReason; readonly path?: string };

/**
 * Parses JSON from others. A lenient parser would give two different texts the same RFC 8785 form, so this one refuses
 * duplicate keys (after unescaping), numbers that overflow (`number_not_exact`), lone surrogates (raw or escaped) and too deep nesting.
 * `__proto__` stays an own property. An accepted value equals the result of `JSON.parse`.
 *
 * Decode the bytes with a fatal `TextDecoder`: a lenient one already merges different payloads.
 */
export function parseStrictJson(text: string, limits: StrictJsonLimits = {}): StrictJsonResult {
  // On the text: everything after this, here and in callers, recurses over the value and holds it in memory.
  const scanned = scan(text, limits);
  if (typeof scanned === 'string') return { ok: false, reason: scanned };

  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'invalid' };
  }
  if (!text.isWellFormed()) return { ok: false, reason: 'lone_surrogate' };
  if (text.includes('\\') && ESCAPED_SURROGATE.test(text) && hasLoneSurrogate(value)) {
    const path = pathOfScalar(value, (scalar) => typeof scalar === 'string' && !scalar.isWellFormed()) ?? '';
    return { ok: false, reason: 'lone_surrogate', path };
  }

  const keysInValue = countFiniteMembers(value);
  if (Number.isNaN(keysInValue)) {
    const path =
      pathOfScalar(value, (scalar) => typeof scalar === 'number' && !Number.isFinite(scalar)) ?? '';
    return { ok: false, reason: 'number_not_exact', path };
  }
  // A duplicate key is missing from the value, together with everything in the value it replaced.
  if (keysInValue !== scanned.keys)
    return { ok: false, reason: 'duplicate_key', path: pathOfDuplicateKey(text) };
  if (scanned.inexactAt !== null)
    return { ok: false, reason: 'number_not_exact', path: pathOfPosition(text, scanned.inexactAt) };
  return { ok: true, value };
}

const ESCAPED_SURROGATE = /\\u[dD]/;

interface Scanned {
  readonly keys: number;
  /** Where the first integer literal begins that no double holds exactly. */
  readonly inexactAt: number | null;
}

/** Counts in a JSON text, before anything is made of it. For a text that is not JSON the counts mean nothing. */
function scan(
  text: string,
  {
    maxDepth = MAX_JSON_DEPTH,
    maxValues = Number.POSITIVE_INFINITY,
    exactIntegers = false,
  }: StrictJsonLimits,
): Scanned | 'too_deep' | 'too_many_values' {
  let keys = 0;
  /** Whatever begins like a value; a key does as well. */
  let begun = 0;
  let depth = 0;
  let at = 0;
  let inexactAt: number | null = null;
  while (at < text.length) {
    const code = text.charCodeAt(at++);
    if (code === 0x22) {
      at = endOfString(text, at);
      begun++;
    } else if (code >= 0x3a) {
      if (code === 0x3a) {
        keys++;
      } else if (code === 0x7b || code === 0x5b) {
        begun++;
        if (++depth > maxDepth) return 'too_deep';
      } else if (code === 0x7d || code === 0x5d) {
        depth--;
      } else if (code === 0x66 || code === 0x6e || code === 0x74) {
        // The first letters of false, null and true, which none of the words has further on.
        begun++;
      }
    } else if (code >= 0x30) {
      begun++;
      const end = endOfNumber(text, at);
      if (
        exactIntegers !== false &&
        inexactAt === null &&
        isAltered(text.slice(at - 1, end), exactIntegers)
      ) {
        inexactAt = at - 1;
      }
      at = end;
    }
    if (begun - keys > maxValues + 1) return 'too_many_values';
  }
  return begun - keys > maxValues ? 'too_many_values' : { keys, inexactAt };
}

function isAltered(literal: string, exactIntegers: true | 'or_canonical'): boolean {
  if (isExactInteger(literal)) return false;
  return exactIntegers === true || String(Number(literal)) !== literal;
}

function hasLoneSurrogate(value: Json): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  const object = value as JsonObject;
  return Object.keys(object).some((key) => !key.isWellFormed() || hasLoneSurrogate(object[key] as Json));
}

/** Number of object members in the tree, or NaN if a number in it is not finite. */
function countFiniteMembers(value: Json): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  const isArray = Array.isArray(value);
  const inside: readonly Json[] = isArray ? value : Object.values(value);
  let count = isArray ? 0 : inside.length;
  for (const item of inside) {
    // Saves a call for most items.
    if (typeof item !== 'string') count += countFiniteMembers(item);
  }
  return count;
}
