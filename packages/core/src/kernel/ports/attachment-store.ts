/** What became of a request to keep bytes, or to remove them. */
export type StoreOutcome = 'done' | 'unavailable';

export type StoredBytes =
  | { readonly kind: 'found'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unavailable' };

/**
 * Where the bytes of attachments lie, by the SHA-256 of what they are (lower-case hex). It knows nothing of
 * whom they belong to: the rows in the database say that. Never throws.
 */
export interface AttachmentStore {
  /** Keeping the same bytes twice is keeping them once. */
  put(sha256: string, bytes: Uint8Array): Promise<StoreOutcome>;
  get(sha256: string): Promise<StoredBytes>;
  /** Removing what is not there is done, too. At most 1000 at once. */
  remove(sha256s: readonly string[]): Promise<StoreOutcome>;
}
