import { MAX_JSON_DEPTH } from './canonical-json.ts';
import { isExactInteger } from './exact-integer.ts';
import { endOfNumber } from './json-text.ts';
import type { StrictJsonLimits } from './strict-json.ts';

/** Where in the text a member stands: from the quote of its name to the end of its value. */
export interface MemberSpan {
  readonly start: number;
  readonly end: number;
}

export interface CanonicalScanOptions extends StrictJsonLimits {
  /** The value begins and ends here; left out, it is the whole text. */
  readonly from?: number;
  readonly to?: number;
  /** The member of the outermost object that `located` tells of. */
  readonly locate?: string;
}

/** What comes next in the text. */
type Next = 'value' | 'first_item' | 'key' | 'first_key' | 'in_key' | 'in_text' | 'separator' | 'end';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const WORDS = ['true', 'false', 'null'];
/** No canonical text has one: between values there is no whitespace, and in strings they are escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROL_CHARACTER = /[\0-\x1f]/;
/** Where there is a short escape it is used; a control character without one is `\u00` and lower-case digits. */
const SHORT_ESCAPES = '"\\bfnrt';
const LONG_ESCAPE = /\\u00(?:0[0-7bef]|1[0-9a-f])/y;
/** Most strings are shorter than this; in those a loop is faster than calls of indexOf. */
const SHORT_STRING = 48;

/**
 * Finds in one pass whether a text is the RFC 8785 form of a JSON value within the limits, without making anything of it. A
 * text for which it is `true` needs no `parseStrictJson`: its keys are in order, so that none is there twice. For `false`,
 * `parseStrictJson` tells whether the text is another form of a value, or none.
 */
export class CanonicalScan {
  /** The member asked for, if the value is an object that has it. */
  located: MemberSpan | null = null;

  readonly #text: string;
  readonly #limits: Required<StrictJsonLimits>;
  readonly #to: number;
  readonly #locate: string | null;
  #isChecked = false;
  /** Where the string begins that is being read. */
  #stringAt = 0;
  /** The next quote and backslash, once looked for: a far one is not looked for from everywhere before it. */
  #quoteAt = -1;
  #backslashAt = -1;
  #isFirstKey = true;
  #at: number;
  #next: Next = 'value';
  #values = 0;
  /** The last key of each open object, '' before its first; null for an array. */
  readonly #open: (string | null)[] = [];
  #locatedAt: number | null = null;

  /** @param text is well-formed Unicode, as a fatal TextDecoder makes it. */
  constructor(text: string, options: CanonicalScanOptions = {}) {
    const { from = 0, to = text.length, locate = null, ...limits } = options;
    const { maxDepth = MAX_JSON_DEPTH, maxValues = Number.POSITIVE_INFINITY, exactIntegers = false } = limits;
    this.#text = text;
    this.#limits = { maxDepth, maxValues, exactIntegers };
    this.#at = from;
    this.#to = to;
    this.#locate = locate;
  }

  /** Goes on for so many characters, or a number or a few characters more. Null: there is more to read. */
  advance(characters: number): boolean | null {
    if (!this.#isChecked && CONTROL_CHARACTER.test(this.#text)) return false;
    this.#isChecked = true;
    const until = Math.min(this.#at + characters, this.#to);
    while (this.#at < until) if (!this.#step(until)) return false;
    if (this.#at < this.#to) return null;
    return this.#at === this.#to && this.#next === 'end';
  }

  #step(until: number): boolean {
    const code = this.#text.charCodeAt(this.#at);
    switch (this.#next) {
      case 'first_item':
        return code === CLOSE_ARRAY ? this.#close() : this.#value(code);
      case 'value':
        return this.#value(code);
      case 'first_key':
        return code === CLOSE_OBJECT ? this.#close() : this.#key(code);
      case 'key':
        return this.#key(code);
      case 'in_key':
      case 'in_text':
        return this.#string(until);
      case 'separator': {
        const isArray = this.#open.at(-1) === null;
        if (code === (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) return this.#close();
        this.#at++;
        this.#next = isArray ? 'value' : 'key';
        return code === COMMA;
      }
      case 'end':
        return false;
    }
  }

  #value(code: number): boolean {
    if (++this.#values > this.#limits.maxValues) return false;
    if (code === QUOTE) return this.#beginString('in_text');
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      this.#at++;
      this.#open.push(code === OPEN_OBJECT ? '' : null);
      this.#next = code === OPEN_OBJECT ? 'first_key' : 'first_item';
      return this.#open.length <= this.#limits.maxDepth;
    }
    return this.#isNumber(code) ? this.#number() : this.#word();
  }

  #isNumber(code: number): boolean {
    return code === 0x2d || (code >= 0x30 && code <= 0x39);
  }

  #number(): boolean {
    const { exactIntegers } = this.#limits;
    const start = this.#at;
    this.#at = endOfNumber(this.#text, start);
    const literal = this.#text.slice(start, this.#at);
    if (String(Number(literal)) !== literal) return false;
    return (exactIntegers !== true || isExactInteger(literal)) && this.#end();
  }

  #word(): boolean {
    const word = WORDS.find((one) => this.#text.startsWith(one, this.#at));
    this.#at += word?.length ?? 0;
    return word !== undefined && this.#end();
  }

  #key(code: number): boolean {
    this.#isFirstKey = this.#next === 'first_key';
    return code === QUOTE && this.#beginString('in_key');
  }

  #beginString(next: 'in_key' | 'in_text'): boolean {
    this.#stringAt = this.#at++;
    this.#next = next;
    return true;
  }

  /** Goes on in a string, to its end at most. */
  #string(until: number): boolean {
    let at = this.#at;
    let plain = 0;
    while (at < until) {
      const code = this.#text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return this.#next === 'in_key' ? this.#endKey() : this.#end();
      }
      if (code === BACKSLASH) {
        const length = escapeLength(this.#text, at);
        if (length === 0) return false;
        at += length;
        plain = 0;
      } else {
        at++;
        if (++plain < SHORT_STRING) continue;
        at = this.#endOfPlain(at);
        plain = 0;
      }
    }
    this.#at = at;
    return true;
  }

  #endOfPlain(from: number): number {
    if (this.#quoteAt < from) this.#quoteAt = indexOrEnd(this.#text, '"', from);
    if (this.#backslashAt < from) this.#backslashAt = indexOrEnd(this.#text, '\\', from);
    return Math.min(this.#quoteAt, this.#backslashAt);
  }

  #endKey(): boolean {
    const quoted = this.#text.slice(this.#stringAt, this.#at);
    const key = quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1);
    const depth = this.#open.length;
    if (!this.#isFirstKey && (this.#open[depth - 1] ?? '') >= key) return false;
    this.#open[depth - 1] = key;
    if (depth === 1 && key === this.#locate) this.#locatedAt = this.#stringAt;
    this.#next = 'value';
    return this.#text.charCodeAt(this.#at++) === COLON;
  }

  #close(): boolean {
    this.#at++;
    this.#open.pop();
    return this.#end();
  }

  /** After a value. */
  #end(): boolean {
    const depth = this.#open.length;
    if (depth === 1 && this.#locatedAt !== null) {
      this.located = { start: this.#locatedAt, end: this.#at };
      this.#locatedAt = null;
    }
    this.#next = depth === 0 ? 'end' : 'separator';
    return true;
  }
}

/** Whether a text is the RFC 8785 form of a JSON value within the limits. */
export function isCanonicalText(text: string, limits: StrictJsonLimits = {}): boolean {
  return new CanonicalScan(text, limits).advance(text.length) === true;
}

/** The length of the escape at a backslash, or 0 if no canonical text has it. */
function escapeLength(text: string, at: number): number {
  if (SHORT_ESCAPES.includes(text.charAt(at + 1) || ' ')) return 2;
  LONG_ESCAPE.lastIndex = at;
  return LONG_ESCAPE.test(text) ? 6 : 0;
}

function indexOrEnd(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? text.length : at;
}
