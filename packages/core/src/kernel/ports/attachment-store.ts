/** The outcome of storing or removing bytes. */
export type StoreOutcome = 'done' | 'unavailable';

export type StoredBytes =
  | { readonly kind: 'found'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unavailable' };

/**
 * Stores the bytes of attachments under their SHA-256 (lower-case hex). The database records to which inquiry they
 * belong. Never throws.
 */
export interface AttachmentStore {
  /** Storing the same bytes again changes nothing. */
  put(sha256: string, bytes: Uint8Array): Promise<StoreOutcome>;
  get(sha256: string): Promise<StoredBytes>;
  has(sha256: string): Promise<'found' | 'missing' | 'unavailable'>;
  /** The SHA-256s of all stored bytes that begin with these hex digits; null if the store cannot be asked. */
  list(prefix: string): Promise<string[] | null>;
  /** Also `done` for bytes that are not there. At most 1000 at once. */
  remove(sha256s: readonly string[]): Promise<StoreOutcome>;
}

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
