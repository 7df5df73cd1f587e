/** The permission to make a call, or to hold something large in memory. */
export interface Slot {
  /** Whether its owner had to wait for the slot, and so has less time left. */
  readonly hasWaited: boolean;
  /** Whether somebody else waits for a slot now. */
  isContended(): boolean;
  release(): void;
}

/** No slot became free in time. */
export class BusyError extends Error {}

interface Lease {
  readonly owner: string;
  readonly expiresAt: number;
  contendedAt: number;
}

/** Waiters repeat their claim at each try; the claim of one that went away expires after this time. */
const CONTENTION_MS = 500;

/**
 * Limits how many calls are under way, or large replies or bodies in memory, at once, since all requests of an isolate share
 * 128 MB. One owner gets only some of the slots: what is slow of its must not block everybody else.
 *
 * Waiters poll on timers of their own. A cancelled request runs no further code in Workers, so it can neither
 * wake a waiter nor release its slot; that is also why a slot expires.
 */
export class Slots {
  readonly #leases = new Set<Lease>();
  readonly #slots: number;
  readonly #perOwner: number;
  readonly #retryMs: number;

  constructor(slots: number, perOwner: number, retryMs = 20) {
    this.#slots = slots;
    this.#perOwner = perOwner;
    this.#retryMs = retryMs;
  }

  /** A slot if one is free now; null if none is. */
  tryTake(owner: string, leaseMs: number): Slot | null {
    return this.#blockingLeases(owner, Date.now()).length > 0 ? null : this.#lease(owner, leaseMs, false);
  }

  /** Waits for a slot until the signal aborts; then it throws a BusyError. */
  async take(owner: string, leaseMs: number, signal: AbortSignal): Promise<Slot> {
    let hasWaited = false;
    for (;;) {
      if (signal.aborted) throw new BusyError('No slot became free in time.');
      const now = Date.now();
      const blocking = this.#blockingLeases(owner, now);
      if (blocking.length === 0) break;
      for (const lease of blocking) lease.contendedAt = now;
      hasWaited = true;
      await new Promise((resolve) => setTimeout(resolve, this.#retryMs));
    }
    return this.#lease(owner, leaseMs, hasWaited);
  }

  #lease(owner: string, leaseMs: number, hasWaited: boolean): Slot {
    const lease: Lease = { owner, expiresAt: Date.now() + leaseMs, contendedAt: Number.NEGATIVE_INFINITY };
    this.#leases.add(lease);
    return {
      hasWaited,
      isContended: () => Date.now() - lease.contendedAt <= CONTENTION_MS,
      release: () => void this.#leases.delete(lease),
    };
  }

  /** The leases of which one must end before this owner gets another: its own, or all. */
  #blockingLeases(owner: string, now: number): readonly Lease[] {
    for (const lease of this.#leases) if (lease.expiresAt <= now) this.#leases.delete(lease);
    const own = [...this.#leases].filter((lease) => lease.owner === owner);
    if (own.length >= this.#perOwner) return own;
    return this.#leases.size < this.#slots ? [] : [...this.#leases];
  }
}
