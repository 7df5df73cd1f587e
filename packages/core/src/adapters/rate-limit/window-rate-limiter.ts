import { WIDE_NETWORK_FACTOR, wideNetworkOf } from '../../kernel/operation/rate-key.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import type { RateDecision, RateLimiter, RatePolicy } from '../../kernel/ports/rate-limiter.ts';
import { SECOND_MS } from '../../kernel/time.ts';
import { createKeyGuard } from './key-guard.ts';
import type { CountInLocation } from './location-limits.ts';

export interface RateFigures {
  readonly limit: number;
  readonly windowSeconds: number;
  /** False: counted in each isolate alone, and not in its location. True by default. */
  readonly shared?: boolean | undefined;
}

export type RateTable = Readonly<Record<RatePolicy, RateFigures>>;

interface WindowCount extends Omit<RateFigures, 'shared'> {
  readonly policy: RatePolicy;
  readonly id: string;
  readonly times: 0 | 1;
}

/** The most windows in memory; the oldest one is dropped first. */
const MAX_WINDOWS = 20_000;

/**
 * Fixed windows in the isolate's memory: no round trip, and exact within one isolate. What they let through is counted
 * once more for all isolates of the location, where `countInLocation` is given. A limit that must hold across the whole
 * network is counted where its state is stored.
 */
export function createWindowRateLimiter(
  table: RateTable,
  clock: Clock,
  countInLocation: CountInLocation | null = null,
): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>();

  /**
   * Counts an IPv6 network, and its /48 as well. What the /48 is refused opens no window of the network, so that its many
   * networks do not push others' windows out; what the network is refused does not count for its neighbours.
   * `counted` is what of the caller is counted.
   */
  function count(policy: RatePolicy, counted: string, callerKey: string, times: 0 | 1): RateDecision {
    const { limit, windowSeconds } = table[policy];
    const countOne = (key: string, most: number, add: 0 | 1) =>
      countWindow({ policy, id: `${counted} ${key}`, limit: most, windowSeconds, times: add });
    const wideNetwork = wideNetworkOf(callerKey);
    if (wideNetwork === null) return countOne(callerKey, limit, times);
    const wideLimit = limit * WIDE_NETWORK_FACTOR;
    const before = countOne(wideNetwork, wideLimit, 0);
    if (before.remaining === 0) return { ...before, allowed: false };
    const own = countOne(callerKey, limit, times);
    if (!own.allowed) return own;
    const wide = countOne(wideNetwork, wideLimit, times);
    return own.remaining <= wide.remaining ? own : wide;
  }

  /** With 0 times, reads the window and stores nothing. */
  function countWindow({ policy, id, limit, windowSeconds, times }: WindowCount): RateDecision {
    const now = clock.now();
    let window = windows.get(id);
    if (window === undefined || window.endsAt <= now) {
      windows.delete(id);
      window = { count: 0, endsAt: now + windowSeconds * SECOND_MS };
      if (times > 0) windows.set(id, window);
      if (windows.size > MAX_WINDOWS) {
        const [oldest] = windows.keys();
        if (oldest !== undefined) windows.delete(oldest);
      }
    }
    window.count += times;
    return {
      policy,
      allowed: window.count <= limit,
      limit,
      remaining: Math.max(0, limit - window.count),
      windowSeconds,
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / SECOND_MS)),
    };
  }

  /** Counts in the isolate, and then in the location. */
  function countShared(
    policy: RatePolicy,
    counted: string,
    callerKey: string,
  ): RateDecision | Promise<RateDecision> {
    const own = count(policy, counted, callerKey, 1);
    if (!own.allowed || countInLocation === null || table[policy].shared === false) return own;
    return countInLocation(policy, counted, callerKey).then((isWithin) =>
      isWithin ? own : refuse(own, `${counted} ${callerKey}`),
    );
  }

  /** What the location refused, the isolate refuses by itself until the window ends. */
  function refuse(own: RateDecision, id: string): RateDecision {
    const window = windows.get(id);
    if (window !== undefined) window.count = Math.max(window.count, own.limit);
    return { ...own, allowed: false, remaining: 0 };
  }

  return {
    take: (policy, callerKey) => countShared(policy, policy, callerKey),
    keys: createKeyGuard({
      read: (addressKey) => count('write', 'keys of', addressKey, 0),
      add: (addressKey) => countShared('write', 'keys of', addressKey),
    }),
  };
}
