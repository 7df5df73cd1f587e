import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { describe, expect, it } from 'vitest';
import type { AttachmentStore } from '../../kernel/ports/attachment-store.ts';

/** What holds for every store of attachments. */
export function attachmentStoreSuite(name: string, create: () => AttachmentStore): void {
  describe(name, () => {
    it('gives back what it was given, to the byte', async () => {
      const store = create();
      const bytes = new Uint8Array(4 * 1024 * 1024).map((_, index) => index * 7);
      const sha256 = await sha256Hex(bytes);
      expect(await store.put(sha256, bytes)).toBe('done');
      const got = await store.get(sha256);
      expect(got.kind).toBe('found');
      expect(got.kind === 'found' && (await sha256Hex(got.bytes))).toBe(sha256);
    });

    it('keeps the same bytes once, however often they are given', async () => {
      const store = create();
      const bytes = utf8('twice');
      const sha256 = await sha256Hex(bytes);
      expect(await Promise.all([store.put(sha256, bytes), store.put(sha256, bytes)])).toEqual([
        'done',
        'done',
      ]);
      expect(await store.get(sha256)).toEqual({ kind: 'found', bytes });
      expect(await store.remove([sha256])).toBe('done');
      expect(await store.get(sha256)).toEqual({ kind: 'missing' });
    });

    it('does not keep bytes that are not what they are called', async () => {
      const store = create();
      const sha256 = await sha256Hex('one');
      expect(await store.put(sha256, utf8('another'))).toBe('unavailable');
      expect(await store.get(sha256)).toEqual({ kind: 'missing' });
    });

    it('says what it has, and lists it by its first digits', async () => {
      const store = create();
      const sha256s = await Promise.all(['a', 'b', 'c'].map((text) => sha256Hex(text)));
      const [a = '', b = '', c = ''] = sha256s;
      await store.put(a, utf8('a'));
      await store.put(b, utf8('b'));
      expect(await Promise.all([a, b, c].map((one) => store.has(one)))).toEqual([
        'found',
        'found',
        'missing',
      ]);
      expect(await store.list(b.slice(0, 3))).toEqual([b]);
      expect(await store.list(a.slice(0, 3))).toContain(a);
      expect(await store.list(c.slice(0, 3))).toEqual([]);
    });

    it('removes what is there and what is not, alike', async () => {
      const store = create();
      const bytes = utf8('gone');
      const sha256 = await sha256Hex(bytes);
      await store.put(sha256, bytes);
      expect(await store.remove([sha256, '0'.repeat(64)])).toBe('done');
      expect(await store.remove([sha256])).toBe('done');
      expect(await store.remove([])).toBe('done');
      expect(await store.get(sha256)).toEqual({ kind: 'missing' });
    });
  });
}
