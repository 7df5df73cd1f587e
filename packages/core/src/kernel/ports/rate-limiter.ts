/** The names of the request-rate policies; their figures come from configuration. */
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
 * What an isolate knows of API keys. A key that was found good is counted by itself; until then it says nothing
 * of its caller, and asking for it counts against the address: made-up keys cost little and get no windows.
 */
export interface KeyGuard {
  isKnown(keyHash: string): boolean;
  /** Before a key that is not known is looked up; not null: too many of this address failed, or are under way. */
  begin(addressKey: string): RateDecision | null;
  /** After it; `unheard`: nobody could say. Not null where it was counted. */
  end(addressKey: string, keyHash: string, outcome: 'valid' | 'invalid' | 'unknown'): RateDecision | null;
  /** A key that was known is none. */
  forget(keyHash: string): void;
}
