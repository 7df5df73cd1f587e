import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

export interface MarketplaceClientOptions {
  /** The API root, which ends in `/api`. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`. Without it, you can call only operations that need no key. */
  readonly apiKey?: string;
  readonly fetch?: typeof globalThis.fetch;
  /**
   * `responses` (default): every answer, errors included, is verified with the marketplace's keys. The keys
   * are fetched from `baseUrl` once, and again when an answer names an unknown key.
   * `off`: nothing is checked.
   */
  readonly verify?: 'responses' | 'off';
  /** The time limit of each attempt, in milliseconds. Default 60000: a purchase waits up to 30 s for its seller. */
  readonly timeoutMs?: number;
  /** The number of retries after a network error, 429, 503 or a conflict with the same call in progress. Default 3. */
  readonly retries?: number;
  /** Waits between tries; rejects once the signal is aborted. Replaced in tests. */
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. Replaced in tests. */
  readonly now?: () => number;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call. One that changes something then throws `MarketplaceError` with the code `aborted`, any other the reason. */
  readonly signal?: AbortSignal;
  /**
   * For POST and PATCH; by default a new one for each call. To repeat a call after a crash without doing it
   * twice, store the key and pass it again: for 24 hours the first outcome is returned.
   */
  readonly idempotencyKey?: string;
  /** Further headers, for example a payment header. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** In place of the client's. */
  readonly retries?: number;
}

export interface RawRequestOptions extends CallOptions {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: JsonObject;
}
