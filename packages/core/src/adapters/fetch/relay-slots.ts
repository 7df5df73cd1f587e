/** What a large reply holds while it is read. */
export interface RelaySlot {
  /** Whether somebody else had it first, so that the reply has had less time than it should. */
  readonly waited: boolean;
  /** Whether somebody waits for it now. */
  isWanted(): boolean;
  giveBack(): void;
}

/** There was no slot before the time was over. */
export class RelayBusyError extends Error {}

interface Lease {
  readonly owner: string;
  readonly lapsesAt: number;
  wantedAt: number;
}

/** Those who wait say so at each try; the last word of one that went away counts for no longer than this. */
const WANTED_MS = 500;

/**
 * Bounds the large replies that are held in memory at once: all requests of an isolate share 128 MB. One owner
 * has only a part of the slots, so that slow replies of one keep nobody else's waiting.
 *
 * Those who wait look again on timers of their own instead of being woken by whoever leaves: in Workers,
 * a request that was cancelled runs no further line, so it can neither wake anybody nor give its slot
 * back. For the same reason a slot lapses by itself.
 */
export class RelaySlots {
  readonly #leases = new Set<Lease>();
  readonly #slots: number;
  readonly #perOwner: number;
  readonly #retryMs: number;

  constructor(slots: number, perOwner: number, retryMs = 20) {
    this.#slots = slots;
    this.#perOwner = perOwner;
    this.#retryMs = retryMs;
  }

  /** Waits for a slot until the signal aborts; then it throws a RelayBusyError. */
  async take(owner: string, leaseMs: number, signal: AbortSignal): Promise<RelaySlot> {
    let waited = false;
    for (;;) {
      if (signal.aborted) throw new RelayBusyError('No slot for a large reply.');
      const now = Date.now();
      const inTheWay = this.#inTheWayOf(owner, now);
      if (inTheWay.length === 0) break;
      for (const lease of inTheWay) lease.wantedAt = now;
      waited = true;
      await new Promise((resolve) => setTimeout(resolve, this.#retryMs));
    }
    const lease: Lease = { owner, lapsesAt: Date.now() + leaseMs, wantedAt: Number.NEGATIVE_INFINITY };
    this.#leases.add(lease);
    return {
      waited,
      isWanted: () => Date.now() - lease.wantedAt <= WANTED_MS,
      giveBack: () => void this.#leases.delete(lease),
    };
  }

  /** The leases of which one must end before this owner may have its next: all, or its own. */
  #inTheWayOf(owner: string, now: number): readonly Lease[] {
    for (const lease of this.#leases) if (lease.lapsesAt <= now) this.#leases.delete(lease);
    const own = [...this.#leases].filter((lease) => lease.owner === owner);
    if (own.length >= this.#perOwner) return own;
    return this.#leases.size < this.#slots ? [] : [...this.#leases];
  }
}

/** With at most 10 MB each, six replies leave half of an isolate's memory for everything else. */
export const isolateRelaySlots = new RelaySlots(6, 2);
