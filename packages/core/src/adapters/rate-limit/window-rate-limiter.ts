import { WIDE_NETWORK_FACTOR, wideNetworkOf } from '../../kernel/operation/rate-key.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import type { RateDecision, RateLimiter, RatePolicy } from '../../kernel/ports/rate-limiter.ts';
import { SECOND_MS } from '../../kernel/time.ts';
import { createKeyGuard } from './key-guard.ts';

export interface RateFigures {
  readonly limit: number;
  readonly windowSeconds: number;
}

export type RateTable = Readonly<Record<RatePolicy, RateFigures>>;

interface WindowCount extends RateFigures {
  readonly policy: RatePolicy;
  readonly id: string;
  readonly times: 0 | 1;
}

/** The most windows in memory; the oldest one is dropped first. */
const MAX_WINDOWS = 20_000;

/**
 * Fixed windows in the isolate's memory: no round trip, and exact within one isolate. They protect an isolate
 * from one caller. A limit that must hold across the whole network is counted where its state is stored.
 */
export function createWindowRateLimiter(table: RateTable, clock: Clock): RateLimiter {
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

  return {
    take: (policy, callerKey) => count(policy, policy, callerKey, 1),
    keys: createKeyGuard((addressKey, times) => count('write', 'keys of', addressKey, times)),
  };
}
