import { describe, expect, it } from 'vitest';
import { FakeAttachmentStore } from '../../testing/doubles/fake-attachment-store.ts';
import { FakeLog } from '../../testing/doubles/recording-ports.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { attachmentStoreSuite } from '../../testing/suites/attachment-store.suite.ts';
import { type AttachmentBucket, createR2AttachmentStore } from './attachment-store.ts';

const bucket = testBindings.ATTACHMENTS as R2Bucket;

attachmentStoreSuite('R2', () => createR2AttachmentStore(bucket, new FakeLog()));
attachmentStoreSuite('the fake', () => new FakeAttachmentStore());

describe('a bucket that is down', () => {
  it('is a value and a line in the log, never an exception', async () => {
    const log = new FakeLog();
    const down = async () => {
      throw new Error('put: We encountered an internal error. Please try again. (10001)');
    };
    const store = createR2AttachmentStore(
      { put: down, get: down, head: down, list: down, delete: down } as AttachmentBucket,
      log,
    );
    expect(await store.put('0'.repeat(64), new Uint8Array(1))).toBe('unavailable');
    expect(await store.get('0'.repeat(64))).toEqual({ kind: 'unavailable' });
    expect(await store.has('0'.repeat(64))).toBe('unavailable');
    expect(await store.list('0')).toBeNull();
    expect(await store.remove(['0'.repeat(64)])).toBe('unavailable');
    expect(log.lines.map(({ event, fields }) => [event, fields.action])).toEqual([
      ['attachment_store_failed', 'put'],
      ['attachment_store_failed', 'get'],
      ['attachment_store_failed', 'has'],
      ['attachment_store_failed', 'list'],
      ['attachment_store_failed', 'remove'],
    ]);
  });
});
