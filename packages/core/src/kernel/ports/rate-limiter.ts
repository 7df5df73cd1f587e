/** The request-rate policies; the configuration sets their figures. */
export type RatePolicy = 'read' | 'write' | 'register' | 'purchase' | 'x402' | 'inquiry';

export interface RateDecision {
  readonly policy: RatePolicy;
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
  readonly resetSeconds: number;
}

export interface RateLimiter {
  take(policy: RatePolicy, callerKey: string): RateDecision | Promise<RateDecision>;
  readonly keys: KeyGuard;
}

/**
 * The API keys that an isolate has verified. A verified key is counted by itself. An unverified one does not show who
 * calls, so its look-up is charged to the address: made-up keys must get no limits of their own.
 */
export interface KeyGuard {
  isKnown(keyHash: string): boolean;
  /** Call it before looking up an unverified key. Not null: too many look-ups of this address failed or are under way. */
  begin(addressKey: string): RateDecision | null;
  /** Call it after the look-up; `unknown`: the database did not answer. Not null where the look-up was counted. */
  end(addressKey: string, keyHash: string, outcome: 'valid' | 'invalid' | 'unknown'): RateDecision | null;
  /** The key is not valid any more. */
  forget(keyHash: string): void;
}
