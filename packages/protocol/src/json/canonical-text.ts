import { endOfNumber, endOfString } from './json-text.ts';

/**
 * Whether a JSON text is the RFC 8785 form of its value, found in one pass and without making that form.
 *
 * @param text was taken by `parseStrictJson`: of anything else the answer means nothing.
 */
export function isCanonicalText(text: string): boolean {
  if (!hasCanonicalEscapes(text)) return false;
  /** The last key of each open object, as it is written; null before its first, and in an array. */
  const lastKeys: (string | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const start = at;
    const code = text.charCodeAt(at++);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (text.charCodeAt(at) !== 0x3a) continue;
      const key = keyOf(text.slice(start, at));
      const last = lastKeys.at(-1) ?? null;
      if (last !== null && last >= key) return false;
      lastKeys[lastKeys.length - 1] = key;
    } else if (code === 0x7b || code === 0x5b) {
      lastKeys.push(null);
    } else if (code === 0x7d || code === 0x5d) {
      lastKeys.pop();
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      at = endOfNumber(text, at);
      const literal = text.slice(start, at);
      if (String(Number(literal)) !== literal) return false;
    } else if (code <= 0x20) {
      return false;
    }
  }
  return true;
}

function keyOf(quoted: string): string {
  return quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
}

/** Where there is a short escape it is used; a control character without one is `\u00` and lower-case digits. */
const CANONICAL_ESCAPE = /\\(?:["\\bfnrt]|u00(?:0[0-7bef]|1[0-9a-f]))/y;

function hasCanonicalEscapes(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', CANONICAL_ESCAPE.lastIndex)) {
    CANONICAL_ESCAPE.lastIndex = at;
    if (!CANONICAL_ESCAPE.test(text)) return false;
  }
  return true;
}
