import type { JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';

export interface MarketplaceClientOptions {
  /** The API root, which ends in `/api`. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`. Without one, only what needs no key can be called. */
  readonly apiKey?: string;
  readonly fetch?: typeof globalThis.fetch;
  /**
   * `responses` (default): every answer, errors included, is checked against the marketplace's keys before it
   * is believed. The keys are fetched from `baseUrl` once, and again when an answer names an unknown one.
   * `off`: nothing is checked.
   */
  readonly verify?: 'responses' | 'off';
  /** Of each try, in milliseconds. Default 60000: a purchase waits up to 30 s for its seller. */
  readonly timeoutMs?: number;
  /** How many times a call is sent again after a network error, 429, 503 or an answer still in the making. Default 3. */
  readonly retries?: number;
  /** Waits between tries; rejects once the signal is aborted. Replaced in tests. */
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. Replaced in tests. */
  readonly now?: () => number;
}

/** What can be said of a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * For POST and PATCH; a fresh one is made if not given. Give one that you have stored to repeat a call after
   * a crash without doing it twice: for 24 hours the first outcome is returned.
   */
  readonly idempotencyKey?: string;
  /** Further headers, for example a payment header. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface RawRequestOptions extends CallOptions {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: JsonObject;
}
