/**
 * Bounds the large replies that are held in memory at once: all requests of an isolate share 128 MB.
 *
 * Those who wait look again on timers of their own instead of being woken by whoever leaves: in Workers,
 * a request that was cancelled runs no further line, so it can neither wake anybody nor give its slot
 * back. For the same reason a slot lapses by itself.
 */
export class RelaySlots {
  readonly #leases = new Map<symbol, number>();
  readonly #slots: number;
  readonly #retryMs: number;

  constructor(slots: number, retryMs = 20) {
    this.#slots = slots;
    this.#retryMs = retryMs;
  }

  /** Waits for a slot until the signal aborts (then it throws its reason); returns how to give it back. */
  async take(leaseMs: number, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted();
      const now = Date.now();
      for (const [lease, lapsesAt] of this.#leases) if (lapsesAt <= now) this.#leases.delete(lease);
      if (this.#leases.size < this.#slots) break;
      await new Promise((resolve) => setTimeout(resolve, this.#retryMs));
    }
    const lease = Symbol();
    this.#leases.set(lease, Date.now() + leaseMs);
    return () => void this.#leases.delete(lease);
  }
}

/** With at most 10 MB each, six replies leave half of an isolate's memory for everything else. */
export const isolateRelaySlots = new RelaySlots(6);
