import type { Statement } from '../ports/database.ts';
import type { RatePolicy } from '../ports/rate-limiter.ts';
import { DAY_MS, type EpochMs } from '../time.ts';

/** What is counted by the day: everything that may write, and the bytes of attachments apart from the texts they come with. */
export type QuotaPolicy = Exclude<RatePolicy, 'read'> | 'attachment';

/** How often each of them may write in a day (UTC). */
export interface DailyFigures {
  /** Callers without a key, of one network. */
  readonly network: number;
  readonly key: number;
  /** All keys together that were registered from one network and never paid or were paid. */
  readonly keysOfNetwork: number;
}

export type DailyTable = Readonly<Record<QuotaPolicy, DailyFigures>>;

/** The bytes that a quota allows for each of its writes, on average. */
export const QUOTA_BYTES_PER_WRITE = 10_000;

/** Who writes: an agent by its id, or anybody of a network. */
export type QuotaHolder =
  | { readonly kind: 'agent'; readonly agentId: string }
  | { readonly kind: 'network'; readonly network: string };

/** A caller before its key was looked up. */
export type QuotaCaller =
  | { readonly kind: 'key'; readonly keyHash: string }
  | { readonly kind: 'network'; readonly network: string };

/** Bounds that hold in all isolates together: what callers without money may have stored in a day. */
export interface DailyQuotas {
  /** Read before anything is done, so that a spent quota costs one read and no call to anybody. */
  isSpent(caller: QuotaCaller, policy: QuotaPolicy, now: EpochMs): Promise<boolean>;
  /** The network that an agent was registered from, where known, and whether it paid or earned anything; null: no agent. */
  standingOf(agentId: string): Promise<{ readonly network: string | null; readonly isPaid: boolean } | null>;
  /**
   * The statements with what counts them, and aborts them all where the quota is spent: two at once cannot exceed it. What is
   * stored elsewhere on their account counts with them.
   */
  charge(
    holder: QuotaHolder,
    policy: QuotaPolicy,
    statements: readonly Statement[],
    now: EpochMs,
    bytesElsewhere?: number,
  ): readonly Statement[];
}

/** The name of the guard that aborts; `refusalOf` makes the refusal of it. */
export const QUOTA_GUARD = 'daily_quota_reached';

export function secondsUntilNextDay(now: EpochMs): number {
  return Math.ceil((DAY_MS - (now % DAY_MS)) / 1000);
}
