/**
 * Signatures seen within the freshness window. Only good signatures are put in, so that strangers cannot
 * push others out; beyond the bound the oldest goes. In memory: a seller that runs in several processes or
 * isolates notices a replay in the same one only.
 */
export class ReplayCache {
  readonly #expiryOf = new Map<string, number>();
  readonly #maxEntries: number;

  constructor(maxEntries = 10_000) {
    this.#maxEntries = maxEntries;
  }

  /** Notes a signature; false if it was noted before. Times in milliseconds since the epoch. */
  add(signature: string, expiresAt: number, now: number): boolean {
    if (this.#expiryOf.has(signature)) return false;
    // Nearly in order of expiry, since messages are sent nearly in order.
    for (const [oldest, expiry] of this.#expiryOf) {
      if (expiry >= now && this.#expiryOf.size < this.#maxEntries) break;
      this.#expiryOf.delete(oldest);
    }
    this.#expiryOf.set(signature, expiresAt);
    return true;
  }
}
