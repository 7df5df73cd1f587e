import { type KeySet, keySetOf } from './keys.ts';

/** Where public keys come from while keys rotate. */
export interface KeySource {
  /**
   * A key set that holds `keyId`, if the marketplace has such a key: the cached one, or a fresh one if the
   * cached one does not know it.
   *
   * @throws KeysUnavailableError if the keys are needed and cannot be had.
   */
  keysFor(keyId: string): Promise<KeySet>;
}

/** The marketplace's keys could not be fetched, so that nothing can be said about a signature. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';

  constructor(cause: unknown) {
    super('The public keys of the marketplace could not be fetched.', { cause });
  }
}

export interface RemoteKeysOptions {
  /** The API root, which ends in `/api`. */
  readonly baseUrl: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Of one fetch of the keys, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

// Made-up key ids must not turn into as many requests to the marketplace.
const MIN_REFETCH_MS = 10_000;
const MAX_IN_FLIGHT = 4;
const WAIT_MS = 20;
const TRIES = 2;

/** Fetches `GET /signing-key` when first needed, keeps it, and fetches again on an unknown keyId. */
export function remoteKeys(options: RemoteKeysOptions): KeySource {
  const { baseUrl, fetch = globalThis.fetch, timeoutMs = 5000, now = Date.now } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/signing-key`;
  let cached: { readonly keys: KeySet; readonly fetchedAt: number } | null = null;
  let inFlight = 0;

  // A fetch under way is not shared between callers: in Workers, one request must not await another's I/O. What
  // is shared is what came of it, for which callers beyond the limit wait by timers of their own.
  async function load(): Promise<KeySet> {
    const before = cached;
    for (let waitedMs = 0; inFlight >= MAX_IN_FLIGHT; waitedMs += WAIT_MS) {
      if (waitedMs >= timeoutMs) throw new KeysUnavailableError('too many fetches at once');
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      if (cached !== null && cached !== before) return cached.keys;
    }
    inFlight++;
    try {
      const keys = await fetchKeys(fetch, url, timeoutMs);
      cached = { keys, fetchedAt: now() };
      return keys;
    } finally {
      inFlight--;
    }
  }

  return {
    async keysFor(keyId) {
      if (cached === null) return load();
      const isFresh = now() - cached.fetchedAt < MIN_REFETCH_MS;
      return isFresh || cached.keys.get(keyId) ? cached.keys : load();
    },
  };
}

/** Keys that were stored or pinned: nothing is ever fetched. */
export function fixedKeys(keys: KeySet): KeySource {
  return { keysFor: async () => keys };
}

async function fetchKeys(fetch: typeof globalThis.fetch, url: string, timeoutMs: number): Promise<KeySet> {
  let cause: unknown;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      // An intermediate cache may hold the keys of before a rotation.
      const headers = { accept: 'application/json', 'cache-control': 'no-cache' };
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return keySetOf(await response.json());
    } catch (error) {
      cause = error;
    }
  }
  throw new KeysUnavailableError(cause);
}
