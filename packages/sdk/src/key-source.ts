import { type KeySet, keySetOf } from './keys.ts';

/** A source of public keys that follows key rotation. */
export interface KeySource {
  /**
   * A key set with `keyId`, if the marketplace has such a key: the cached set, or a new one if the key is not
   * cached.
   *
   * @throws KeysUnavailableError if the keys are needed and cannot be fetched.
   */
  keysFor(keyId: string): Promise<KeySet>;
}

/** The marketplace's keys could not be fetched, so signatures cannot be checked. */
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
  /** The time limit of one fetch, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
}

// Invented key ids must not cause a request to the marketplace each.
const MIN_REFETCH_MS = 10_000;
const MAX_IN_FLIGHT = 4;
const WAIT_MS = 20;
const TRIES = 2;

/** Fetches `GET /signing-key` when first needed, caches it, and fetches again on an unknown keyId. */
export function remoteKeys(options: RemoteKeysOptions): KeySource {
  const { baseUrl, fetch = globalThis.fetch, timeoutMs = 5000, now = Date.now } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/signing-key`;
  let cached: { readonly keys: KeySet; readonly fetchedAt: number } | null = null;
  let inFlight = 0;

  // Callers do not share a pending fetch: in Workers, one request must not await another's I/O. They share
  // its result, and callers beyond the limit wait for it with their own timers.
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

/** Stored or pinned keys: nothing is fetched. */
export function fixedKeys(keys: KeySet): KeySource {
  return { keysFor: async () => keys };
}

async function fetchKeys(fetch: typeof globalThis.fetch, url: string, timeoutMs: number): Promise<KeySet> {
  let cause: unknown;
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      // A cache on the way may still have the keys from before a rotation.
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
