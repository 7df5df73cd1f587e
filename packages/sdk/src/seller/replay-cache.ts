/**
 * Signatures seen within the freshness window. Only valid signatures are added, so that strangers cannot
 * evict entries; beyond the limit, the oldest is evicted. It is in memory: with several processes or
 * isolates, a replay is noticed only in the same one.
 */
export class ReplayCache {
  readonly #expiryOf = new Map<string, number>();
  readonly #maxEntries: number;

  constructor(maxEntries = 10_000) {
    this.#maxEntries = maxEntries;
  }

  /** Adds a signature; false if it is known. Times in milliseconds since the epoch. */
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
