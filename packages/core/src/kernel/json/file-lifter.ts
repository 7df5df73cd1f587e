import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { Base64Stream } from '../crypto/base64-stream.ts';
import type { FilesOfBody } from '../ports/uploads.ts';

/** What a file's text decoded to, or why it did not. */
export type LiftedFile = ReturnType<Base64Stream['end']>;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Of a key as written: each of its characters may be an escape of six. */
const MAX_KEY_BYTES = 6 * 64;
const ESCAPED: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, '/': 0x2f };
/** Stands for every character that is no base64. */
const NOT_BASE64 = utf8('*');

/**
 * Reads a JSON text in parts and takes the files out of it, so that no part of the program holds more than one of them.
 * Everything else is passed on byte by byte and judged by whoever parses it: a text that is no JSON stays none.
 */
export class FileLifter {
  readonly #shape: FilesOfBody;
  readonly #maxTextBytes: number;
  #text = new Uint8Array(16 * 1024);
  #textLength = 0;
  #isTextTooLarge = false;

  #mode: 'structure' | 'string' | 'file' = 'structure';
  /** The unread part of an escape: after its backslash, with its hex digits. Null outside of escapes. */
  #escape: string | null = null;
  #depth = 0;
  #isRootObject = false;
  #rootKey = '';
  #itemKey = '';
  #isInList = false;
  #isInItem = false;
  #isKeyNext = false;
  /** The key that is being read, as written; null in other texts. */
  #key: number[] | null = null;

  #file: Base64Stream | null = null;
  #characters = 0;
  #isFileNoJson = false;
  #ended: { readonly file: LiftedFile; readonly isNoJson: boolean } | null = null;

  constructor(shape: FilesOfBody, maxTextBytes: number) {
    this.#shape = shape;
    this.#maxTextBytes = maxTextBytes;
  }

  /** Yields each file once it is whole, and is told with `next` what text stands in its place. */
  *write(part: Uint8Array): Generator<LiftedFile, void, string> {
    let at = 0;
    while (at < part.length) {
      if (this.#mode === 'structure') at = this.#readStructure(part, at);
      else if (this.#mode === 'string') at = this.#readString(part, at);
      else at = this.#readFile(part, at);
      if (this.#ended === null) continue;
      const { file, isNoJson } = this.#ended;
      this.#ended = null;
      // A raw control character is no JSON, whatever is made of the file.
      this.#pass(utf8(isNoJson ? '"\u0000"' : JSON.stringify(yield file)));
    }
  }

  /** The text without the files; null if it is too large. */
  end(): Uint8Array | null {
    return this.#isTextTooLarge ? null : this.#text.subarray(0, this.#textLength);
  }

  #readStructure(part: Uint8Array, from: number): number {
    for (let at = from; at < part.length; at++) {
      const byte = part[at];
      if (byte === QUOTE) {
        if (this.#isFileNext()) {
          this.#pass(part.subarray(from, at));
          this.#mode = 'file';
          this.#file = new Base64Stream(this.#shape.maxFileBytes);
          return at + 1;
        }
        this.#mode = 'string';
        this.#key = this.#isKeyNext ? [] : null;
        this.#pass(part.subarray(from, at + 1));
        return at + 1;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(byte === OPEN_OBJECT);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close();
      else if (byte === COMMA) this.#isKeyNext = this.#hasKeys();
      else if (byte === COLON) this.#isKeyNext = false;
    }
    this.#pass(part.subarray(from));
    return part.length;
  }

  #open(isObject: boolean): void {
    this.#depth++;
    if (this.#depth === 1) this.#isRootObject = isObject;
    if (this.#depth === 2)
      this.#isInList = !isObject && this.#isRootObject && this.#rootKey === this.#shape.list;
    if (this.#depth === 3) {
      this.#isInItem = isObject && this.#isInList;
      this.#itemKey = '';
    }
    this.#isKeyNext = this.#hasKeys();
  }

  #close(): void {
    this.#depth--;
    if (this.#depth < 3) this.#isInItem = false;
    if (this.#depth < 2) this.#isInList = false;
    this.#isKeyNext = false;
  }

  /** Whether the keys of the open container matter. */
  #hasKeys(): boolean {
    return (this.#depth === 1 && this.#isRootObject) || (this.#depth === 3 && this.#isInItem);
  }

  #isFileNext(): boolean {
    return this.#depth === 3 && this.#isInItem && !this.#isKeyNext && this.#itemKey === this.#shape.content;
  }

  #readString(part: Uint8Array, from: number): number {
    for (let at = from; at < part.length; at++) {
      const byte = part[at] as number;
      if (this.#escape !== null) this.#escape = null;
      else if (byte === BACKSLASH) this.#escape = '';
      else if (byte === QUOTE) {
        this.#endString();
        this.#pass(part.subarray(from, at + 1));
        return at + 1;
      }
      if (this.#key !== null && this.#key.length < MAX_KEY_BYTES) this.#key.push(byte);
    }
    this.#pass(part.subarray(from));
    return part.length;
  }

  #endString(): void {
    this.#mode = 'structure';
    if (this.#key === null) return;
    const name = keyOf(this.#key);
    if (this.#depth === 1) this.#rootKey = name;
    else this.#itemKey = name;
    this.#key = null;
  }

  #readFile(part: Uint8Array, from: number): number {
    const file = this.#file as Base64Stream;
    let begun = from;
    for (let at = from; at < part.length; at++) {
      const byte = part[at] as number;
      if (this.#escape !== null) {
        this.#readEscape(file, byte);
        begun = at + 1;
      } else if (byte === BACKSLASH || byte === QUOTE) {
        this.#take(file, part.subarray(begun, at));
        if (byte === QUOTE) {
          this.#endFile(file);
          return at + 1;
        }
        this.#escape = '';
        begun = at + 1;
      } else if (byte < 0x20) this.#isFileNoJson = true;
    }
    this.#take(file, part.subarray(begun));
    return part.length;
  }

  #readEscape(file: Base64Stream, byte: number): void {
    const written = this.#escape + String.fromCharCode(byte);
    const isWhole = written[0] !== 'u' || written.length === 5;
    this.#escape = isWhole ? null : written;
    if (!isWhole) return;
    if (!/^(?:u[0-9A-Fa-f]{4}|["\\/bfnrt])$/.test(written)) this.#isFileNoJson = true;
    const code = written[0] === 'u' ? Number.parseInt(written.slice(1), 16) : ESCAPED[written];
    this.#take(file, code !== undefined && code < 0x80 ? Uint8Array.of(code) : NOT_BASE64);
  }

  #take(file: Base64Stream, text: Uint8Array): void {
    this.#characters += text.length;
    // What is too long is not decoded: it may be as long as the body.
    if (this.#characters <= this.#shape.maxCharacters) file.write(text);
  }

  #endFile(file: Base64Stream): void {
    const decoded = file.end();
    const isTooLong = this.#characters > this.#shape.maxCharacters;
    this.#ended = { file: isTooLong ? 'too_large' : decoded, isNoJson: this.#isFileNoJson };
    this.#mode = 'structure';
    this.#file = null;
    this.#characters = 0;
    this.#isFileNoJson = false;
  }

  #pass(bytes: Uint8Array): void {
    const length = this.#textLength + bytes.length;
    if (length > this.#maxTextBytes) this.#isTextTooLarge = true;
    if (this.#isTextTooLarge) return;
    if (length > this.#text.length) {
      const larger = new Uint8Array(Math.min(Math.max(length, this.#text.length * 2), this.#maxTextBytes));
      larger.set(this.#text.subarray(0, this.#textLength));
      this.#text = larger;
    }
    this.#text.set(bytes, this.#textLength);
    this.#textLength = length;
  }
}

/** A key without its escapes; '' for one that is no JSON, or too long to be one that matters. */
function keyOf(written: readonly number[]): string {
  if (written.length >= MAX_KEY_BYTES) return '';
  try {
    return JSON.parse(`"${String.fromCharCode(...written)}"`) as string;
  } catch {
    return '';
  }
}
