/** The permission to make a call, or to hold one large reply in memory. */
export interface RelaySlot {
  /** Whether the reply had to wait for the slot, and so had less time than its sender was given. */
  readonly hasWaited: boolean;
  /** Whether another reply waits for a slot now. */
  isContended(): boolean;
  release(): void;
}

/** No slot became free in time. */
export class RelayBusyError extends Error {}

interface Lease {
  readonly owner: string;
  readonly expiresAt: number;
  contendedAt: number;
}

/** Waiters repeat their claim at each try; the claim of one that went away expires after this time. */
const CONTENTION_MS = 500;

/**
 * Limits how many calls are under way, or large replies in memory, at once, since all requests of an isolate share 128 MB.
 * One owner gets only some of the slots: its slow replies must not block everybody else's.
 *
 * Waiters poll on timers of their own. A cancelled request runs no further code in Workers, so it can neither
 * wake a waiter nor release its slot; that is also why a slot expires.
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

  /** A slot if one is free now; null if none is. */
  tryTake(owner: string, leaseMs: number): RelaySlot | null {
    return this.#blockingLeases(owner, Date.now()).length > 0 ? null : this.#lease(owner, leaseMs, false);
  }

  /** Waits for a slot until the signal aborts; then it throws a RelayBusyError. */
  async take(owner: string, leaseMs: number, signal: AbortSignal): Promise<RelaySlot> {
    let hasWaited = false;
    for (;;) {
      if (signal.aborted) throw new RelayBusyError('No slot for a large reply.');
      const now = Date.now();
      const blocking = this.#blockingLeases(owner, now);
      if (blocking.length === 0) break;
      for (const lease of blocking) lease.contendedAt = now;
      hasWaited = true;
      await new Promise((resolve) => setTimeout(resolve, this.#retryMs));
    }
    return this.#lease(owner, leaseMs, hasWaited);
  }

  #lease(owner: string, leaseMs: number, hasWaited: boolean): RelaySlot {
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
