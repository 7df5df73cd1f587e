import { isJsonObject, type Json } from './json.ts';

const LONGEST_SEGMENT = 64;
// Most strings are shorter than this; for those a loop is faster than a call of indexOf.
const SHORT_STRING = 48;

/** Index after the closing quote of the JSON string whose content begins at `from`. */
export function endOfString(text: string, from: number): number {
  const shortEnd = Math.min(from + SHORT_STRING, text.length);
  let at = from;
  while (at < shortEnd) {
    const code = text.charCodeAt(at++);
    if (code === 0x22) return at;
    if (code === 0x5c) at++;
  }
  return endOfLongString(text, at);
}

function endOfLongString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let start = quote;
    while (start > from && text.charCodeAt(start - 1) === 0x5c) start--;
    if ((quote - start) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Index after the last digit, sign, point or `e` of the JSON number that goes on at `from`. */
export function endOfNumber(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const isPart =
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2e ||
      code === 0x2b ||
      code === 0x2d ||
      (code | 0x20) === 0x65;
    if (!isPart) break;
    at++;
  }
  return at;
}

/** JSON Pointer to the first string, number or key that the test picks, or null. */
export function pathOfScalar(value: Json, test: (scalar: Json) => boolean): string | null {
  if (typeof value !== 'object' || value === null) return test(value) ? '' : null;
  const entries = isJsonObject(value) ? Object.entries(value) : value.entries();
  for (const [key, member] of entries) {
    const rest = test(key) ? '' : pathOfScalar(member, test);
    if (rest !== null) return `/${segment(key)}${rest}`;
  }
  return null;
}

/** JSON Pointer to the first duplicate key of a valid JSON text, or ''. */
export function pathOfDuplicateKey(text: string): string {
  return pathUpTo(text, text.length) ?? '';
}

/** JSON Pointer to the scalar that begins at a position of a valid JSON text without duplicate keys. */
export function pathOfPosition(text: string, position: number): string {
  return pathUpTo(text, position, true) ?? '';
}

/** JSON Pointer to the first duplicate key before `end`; if there is none, to what is at `end`, or null. */
function pathUpTo(text: string, end: number, isWanted = false): string | null {
  const open: { readonly keys: Set<string> | null; last: string | number }[] = [];
  let keyExpected = false;
  const path = () => open.map(({ last }) => `/${segment(last)}`).join('');
  for (let at = 0; at < end; at++) {
    const top = open.at(-1);
    switch (text[at]) {
      case '{':
        open.push({ keys: new Set(), last: '' });
        keyExpected = true;
        break;
      case '[':
        open.push({ keys: null, last: 0 });
        keyExpected = false;
        break;
      case '}':
      case ']':
        open.pop();
        keyExpected = false;
        break;
      case ',':
        keyExpected = top?.keys != null;
        if (typeof top?.last === 'number') top.last++;
        break;
      case '"': {
        const after = endOfString(text, at + 1);
        if (keyExpected && top?.keys) {
          const key: string = JSON.parse(text.slice(at, after));
          top.last = key;
          if (top.keys.has(key)) return path();
          top.keys.add(key);
          keyExpected = false;
        }
        at = after - 1;
      }
    }
  }
  return isWanted ? path() : null;
}

/** Shortened and well-formed: error messages contain it and are serialised canonically. */
function segment(key: string | number): string {
  const text = String(key);
  const short = text.length > LONGEST_SEGMENT ? `${text.slice(0, LONGEST_SEGMENT)}…` : text;
  return short.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
