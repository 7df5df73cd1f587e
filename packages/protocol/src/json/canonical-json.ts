/** The deepest nesting that is accepted from others, unless the reader sets its own limit; `[]` has depth 1. */
export const MAX_JSON_DEPTH = 64;

/**
 * The deepest nesting that is written. Answers, records and statements wrap what was accepted from others: without
 * room for that, a value could be accepted and never be sent out again.
 */
export const MAX_WRITTEN_DEPTH = MAX_JSON_DEPTH + 16;

export type CanonicalJsonReason = 'lone_surrogate' | 'non_finite' | 'too_deep' | 'not_json';

/** A value that has no RFC 8785 form, or one nested deeper than the limit. */
export class CanonicalJsonError extends Error {
  override readonly name = 'CanonicalJsonError';
  readonly reason: CanonicalJsonReason;

  constructor(reason: CanonicalJsonReason) {
    super(`no canonical JSON form: ${reason}`);
    this.reason = reason;
  }
}

/**
 * The RFC 8785 form of a value: compact, keys sorted by UTF-16 code units.
 *
 * Native `JSON.stringify` already writes numbers and strings as RFC 8785 wants, so all that is needed is a
 * tree whose keys enumerate in order. Values built in key order are serialised as they are; anything else is
 * copied only where it is out of order.
 *
 * As in `JSON.stringify`, object members that are undefined are left out. Everything else that is not plain
 * JSON (dates, maps, functions, holes in arrays) throws, where `JSON.stringify` would invent a value.
 *
 * @param maxDepth bounds the recursion too: keep it in the hundreds.
 * @throws CanonicalJsonError
 */
export function canonicalJson(value: unknown, maxDepth: number = MAX_WRITTEN_DEPTH): string {
  const sorter = new Sorter();
  const sorted = sorter.sort(value, maxDepth);
  const text = sorter.unsortable.size === 0 ? JSON.stringify(sorted) : write(sorted, sorter.unsortable);
  if (hasLoneSurrogateEscape(text)) throw new CanonicalJsonError('lone_surrogate');
  return text;
}

type Members = { [key: string]: unknown };

class Sorter {
  /**
   * Objects whose canonical order no JavaScript object can have, because integer-like keys always enumerate
   * first and by number ("9" before "10"), and every container around one.
   */
  readonly unsortable = new Set<unknown>();

  // Neighbouring records mostly have the same keys: remember the last ones and their order.
  #keys: readonly string[] = [];
  #sortedKeys: readonly string[] = [];
  #hasDigitKey = false;

  /** The value itself if its keys enumerate in canonical order, else a copy that does. */
  sort(value: unknown, depthLeft: number): unknown {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (Number.isFinite(value)) return value;
        throw new CanonicalJsonError('non_finite');
      case 'object':
        if (value === null) return value;
        if (depthLeft <= 0) throw new CanonicalJsonError('too_deep');
        if (Array.isArray(value)) return this.#sortArray(value, depthLeft - 1);
        if (!isPlainObject(value)) throw new CanonicalJsonError('not_json');
        return hasSortedKeys(value)
          ? this.#sortInside(value, depthLeft - 1)
          : this.#sortObject(value, depthLeft - 1);
      default:
        throw new CanonicalJsonError('not_json');
    }
  }

  #sortArray(array: readonly unknown[], depthLeft: number): readonly unknown[] {
    let result: unknown[] | undefined;
    let sortable = true;
    for (let i = 0; i < array.length; i++) {
      const item = array[i];
      const sorted = this.sort(item, depthLeft);
      if (sorted === item) continue;
      result ??= array.slice();
      result[i] = sorted;
      if (this.unsortable.has(sorted)) sortable = false;
    }
    return this.#mark(result ?? array, sortable);
  }

  /** For an object whose own keys are in order: copied only if something inside it is not. */
  #sortInside(object: Members, depthLeft: number): Members {
    let result: Members | undefined;
    let sortable = true;
    for (const key in object) {
      const member = object[key];
      if (member === undefined) continue;
      const sorted = this.sort(member, depthLeft);
      if (sorted === member) continue;
      // A spread copies an own `__proto__` as an own property, which the assignment then finds.
      result ??= { ...object };
      result[key] = sorted;
      if (this.unsortable.has(sorted)) sortable = false;
    }
    return this.#mark(result ?? object, sortable);
  }

  #sortObject(object: Members, depthLeft: number): Members {
    this.#learnKeys(Object.keys(object));
    const sortedKeys = this.#sortedKeys;
    const hasDigitKey = this.#hasDigitKey;
    const result: Members = {};
    let sortable = true;
    for (const key of sortedKeys) {
      const member = object[key];
      if (member === undefined) continue;
      const sorted = this.sort(member, depthLeft);
      if (key === '__proto__') define(result, key, sorted);
      else result[key] = sorted;
      if (sorted !== member && this.unsortable.has(sorted)) sortable = false;
    }
    return this.#mark(result, sortable && !(hasDigitKey && !hasSortedKeys(result)));
  }

  #mark<T>(container: T, sortable: boolean): T {
    if (!sortable) this.unsortable.add(container);
    return container;
  }

  #learnKeys(keys: readonly string[]): void {
    const last = this.#keys;
    let same = keys.length === last.length;
    for (let i = 0; same && i < keys.length; i++) same = keys[i] === last[i];
    if (same) return;
    this.#keys = keys;
    this.#sortedKeys = keys.toSorted();
    this.#hasDigitKey = keys.some((key) => key >= '0' && key < ':');
  }
}

/** By enumeration order, which is what `JSON.stringify` follows. */
function hasSortedKeys(object: Members): boolean {
  let previous: string | undefined;
  for (const key in object) {
    if (previous !== undefined && previous >= key) return false;
    previous = key;
  }
  return true;
}

/** Also true for plain objects of another realm. */
function isPlainObject(value: object): value is Members {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function define(object: Members, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Writes the containers that no object order can express by hand, and everything else natively. */
function write(value: unknown, unsortable: ReadonlySet<unknown>): string {
  if (!unsortable.has(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, unsortable)).join()}]`;
  const object = value as Members;
  const members = Object.keys(object).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${write(object[key], unsortable)}`).join()}}`;
}

/**
 * Well-formed `JSON.stringify` writes a lone surrogate as `\udXXX` and nothing else so, and it writes a
 * backslash of the text as two: the escape is real if an even number of backslashes precedes it.
 */
function hasLoneSurrogateEscape(json: string): boolean {
  for (let at = json.indexOf('\\ud'); at !== -1; at = json.indexOf('\\ud', at + 1)) {
    let start = at;
    while (json.charCodeAt(start - 1) === 0x5c) start--;
    if ((at - start) % 2 === 0) return true;
  }
  return false;
}
