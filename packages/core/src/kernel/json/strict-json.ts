import { MAX_JSON_DEPTH } from './canonical-json.ts';
import type { Json, JsonObject } from './json.ts';
import { endOfString, pathOfDuplicateKey, pathOfScalar } from './json-text.ts';

export type StrictJsonReason = 'invalid' | 'too_deep' | 'duplicate_key' | 'non_finite' | 'lone_surrogate';

/** `path` is a JSON Pointer to the fault, where it is known; long keys in it are shortened. */
export type StrictJsonResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: StrictJsonReason; readonly path?: string };

/**
 * Parses JSON from others. A lenient parser would give two different texts the same RFC 8785 form, so this one refuses
 * duplicate keys (after unescaping), numbers that overflow, lone surrogates (raw or escaped) and too deep nesting.
 * `__proto__` stays an own property. An accepted value equals the result of `JSON.parse`.
 *
 * Decode the bytes with a fatal `TextDecoder`: a lenient one already merges different payloads.
 */
export function parseStrictJson(text: string, limits: { readonly maxDepth?: number } = {}): StrictJsonResult {
  // The depth is checked on the text: everything after this, here and in callers, recurses over the value.
  const keysInText = countKeys(text, limits.maxDepth ?? MAX_JSON_DEPTH);
  if (keysInText === TOO_DEEP) return { ok: false, reason: 'too_deep' };

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
    return { ok: false, reason: 'non_finite', path };
  }
  // A duplicate key is missing from the value, together with everything in the value it replaced.
  if (keysInValue !== keysInText)
    return { ok: false, reason: 'duplicate_key', path: pathOfDuplicateKey(text) };
  return { ok: true, value };
}

const TOO_DEEP = -1;
const ESCAPED_SURROGATE = /\\u[dD]/;

/** The number of keys in a JSON text, or TOO_DEEP. For a text that is not JSON the number means nothing. */
function countKeys(text: string, maxDepth: number): number {
  let keys = 0;
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at++);
    if (code === 0x22) {
      at = endOfString(text, at);
    } else if (code >= 0x3a) {
      if (code === 0x3a) keys++;
      else if (code === 0x7b || code === 0x5b) {
        if (++depth > maxDepth) return TOO_DEEP;
      } else if (code === 0x7d || code === 0x5d) depth--;
    }
  }
  return keys;
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
