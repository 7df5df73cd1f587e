import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { AttachmentStore, StoredBytes, StoreOutcome } from '../../kernel/ports/attachment-store.ts';

/** Attachments in memory; a test may break it, before or after it has worked. */
export class FakeAttachmentStore implements AttachmentStore {
  readonly objects = new Map<string, Uint8Array>();
  /** Asked before each call. `lose_reply`: what was asked for is done, and nobody hears of it. */
  fault: (action: 'put' | 'get' | 'has' | 'list' | 'remove') => 'lose_request' | 'lose_reply' | undefined =
    () => undefined;

  async put(sha256: string, bytes: Uint8Array): Promise<StoreOutcome> {
    const fault = this.fault('put');
    if (fault === 'lose_request' || (await sha256Hex(bytes)) !== sha256) return 'unavailable';
    this.objects.set(sha256, bytes.slice());
    return fault ? 'unavailable' : 'done';
  }

  async get(sha256: string): Promise<StoredBytes> {
    if (this.fault('get')) return { kind: 'unavailable' };
    const bytes = this.objects.get(sha256);
    return bytes ? { kind: 'found', bytes: bytes.slice() } : { kind: 'missing' };
  }

  async has(sha256: string): Promise<'found' | 'missing' | 'unavailable'> {
    if (this.fault('has')) return 'unavailable';
    return this.objects.has(sha256) ? 'found' : 'missing';
  }

  async list(prefix: string): Promise<string[] | null> {
    if (this.fault('list')) return null;
    return [...this.objects.keys()].filter((sha256) => sha256.startsWith(prefix)).sort();
  }

  async remove(sha256s: readonly string[]): Promise<StoreOutcome> {
    const fault = this.fault('remove');
    if (fault === 'lose_request') return 'unavailable';
    for (const sha256 of sha256s) this.objects.delete(sha256);
    return fault ? 'unavailable' : 'done';
  }
}
