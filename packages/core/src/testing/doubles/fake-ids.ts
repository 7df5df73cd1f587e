import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Ids } from '../../kernel/ports/ids.ts';

/**
 * The same ids and bytes in the same order every time. They are mixed, so that a short cut-off of one (a
 * handle, a label) still differs from that of the next.
 */
export class FakeIds implements Ids {
  #state: number;

  constructor(seed = 1) {
    this.#state = seed;
  }

  uuid(): string {
    const bytes = this.randomBytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  randomBytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#next());
  }

  /** Mulberry32: one byte of each output. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) & 0xff;
  }
}
