const INVALID = 0xff;
const SPACE = 0xfe;
const PADDING = 0xfd;

/** Value of each byte of base64 text: either alphabet, with white space as `fromAnyBase64` allows it. */
const VALUES = new Uint8Array(256).fill(INVALID);
for (const [value, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  VALUES[character.charCodeAt(0)] = value;
}
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;
VALUES['='.charCodeAt(0)] = PADDING;
for (const space of '\t\n\r ') VALUES[space.charCodeAt(0)] = SPACE;

const FIRST_BYTES = 64 * 1024;

/** Decodes base64 that arrives in parts, and accepts what `fromAnyBase64` accepts. Holds at most `maxBytes`. */
export class Base64Stream {
  readonly #maxBytes: number;
  #buffer = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #digits = 0;
  #paddings = 0;
  #pending = 0;
  #isInvalid = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes characters, as bytes of ASCII. */
  write(text: Uint8Array): void {
    this.#makeRoom(Math.ceil((text.length * 3) / 4));
    const buffer = this.#buffer;
    // Fields are several times slower than variables here, and a body has 30 million characters.
    let [length, digits, pending] = [this.#length, this.#digits, this.#pending];
    for (let at = 0; at < text.length; at++) {
      const value = VALUES[text[at] as number] as number;
      if (value < 64) {
        // A digit after padding is no base64, however it would decode.
        if (this.#paddings > 0) this.#isInvalid = true;
        pending = ((pending << 6) | value) & 0xffff;
        const phase = digits++ & 3;
        // What is beyond the end of the buffer is only counted.
        if (phase !== 0) buffer[length++] = pending >> (6 - 2 * phase);
      } else if (value === PADDING) this.#paddings++;
      else if (value === INVALID) this.#isInvalid = true;
    }
    [this.#length, this.#digits, this.#pending] = [length, digits, pending];
  }

  /** The decoded bytes, a view that is valid until the next write; or why there are none. */
  end(): Uint8Array | 'not_base64' | 'too_large' {
    if (this.#isInvalid || this.#paddings > 2 || this.#digits % 4 === 1) return 'not_base64';
    if (this.#length > this.#maxBytes) return 'too_large';
    return this.#buffer.subarray(0, this.#length);
  }

  #makeRoom(bytes: number): void {
    const needed = Math.min(this.#length + bytes, this.#maxBytes);
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.min(Math.max(needed, this.#buffer.length * 2), this.#maxBytes));
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}
