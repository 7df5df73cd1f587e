import type { StoreOutcome } from './attachment-store.ts';

/**
 * Which accounts were erased, by the digests of their ids, kept outside of the database: a backup that is restored has
 * forgotten those that were erased since. Never throws.
 */
export interface ErasureList {
  /** Adding it again changes nothing. */
  add(digest: string): Promise<StoreOutcome>;
  /** Those after this one, in order, at most 1000; null if the list cannot be read. */
  list(after: string): Promise<string[] | null>;
}
