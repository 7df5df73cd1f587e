import type { Clock } from '../../kernel/ports/clock.ts';
import type { RateDecision, RateLimiter, RatePolicy } from '../../kernel/ports/rate-limiter.ts';
import { SECOND_MS } from '../../kernel/time.ts';
import { createKeyGuard } from './key-guard.ts';

export interface RateFigures {
  readonly limit: number;
  readonly windowSeconds: number;
}

export type RateTable = Readonly<Record<RatePolicy, RateFigures>>;

/** The most windows in memory; the oldest one is dropped first. */
const MAX_WINDOWS = 20_000;

/**
 * Fixed windows in the isolate's memory: no round trip, and exact within one isolate. They protect an isolate
 * from one caller. A limit that must hold across the whole network is counted where its state is stored.
 */
export function createWindowRateLimiter(table: RateTable, clock: Clock): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>();

  /** With 0, reads the window and stores nothing. */
  function count(policy: RatePolicy, callerKey: string, times: 0 | 1): RateDecision {
    const { limit, windowSeconds } = table[policy];
    const now = clock.now();
    const id = `${policy} ${callerKey}`;
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
    take: (policy, callerKey) => count(policy, callerKey, 1),
    keys: createKeyGuard((addressKey, times) => count('write', `keys of ${addressKey}`, times)),
  };
}
