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

/** What a look-up of a key found: its agent, no live key, or no answer of the database. */
export type KeyOutcome = { readonly agentId: string } | 'invalid' | 'unknown';

/**
 * The API keys that an isolate has verified. A verified key is counted for its agent, so that making keys makes no more
 * room. An unverified one does not show who calls, so its look-up is charged to the address: made-up keys must get no limits
 * of their own.
 */
export interface KeyGuard {
  /** The id of the agent whose key it is; null: it was not verified. */
  agentOf(keyHash: string): string | null;
  /** Call it before looking up an unverified key. Not null: too many look-ups of this address failed or are under way. */
  begin(addressKey: string): RateDecision | null;
  /** Call it after the look-up; not null where the look-up was counted. */
  end(
    addressKey: string,
    keyHash: string,
    outcome: KeyOutcome,
  ): RateDecision | null | Promise<RateDecision | null>;
  /** The key is not valid any more. */
  forget(keyHash: string): void;
  /** The state that the last change made with a verified key left; null: none is known here. */
  bookmarkOf(keyHash: string): string | null;
  noteBookmark(keyHash: string, bookmark: string): void;
}
