import type { ErasureList, StoreOutcome } from '../../kernel/ports/attachment-store.ts';

/** The list of erasures in memory, which a test may take away. */
export class FakeErasureList implements ErasureList {
  readonly digests = new Set<string>();
  isDown = false;

  async add(digest: string): Promise<StoreOutcome> {
    if (this.isDown) return 'unavailable';
    this.digests.add(digest);
    return 'done';
  }

  async list(after: string): Promise<string[] | null> {
    if (this.isDown) return null;
    return [...this.digests]
      .sort()
      .filter((digest) => digest > after)
      .slice(0, 1000);
  }
}
