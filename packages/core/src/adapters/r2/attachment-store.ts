import type { AttachmentStore } from '../../kernel/ports/attachment-store.ts';
import type { Log } from '../../kernel/ports/log.ts';

/** The part of an R2 bucket that is used. */
export type AttachmentBucket = Pick<R2Bucket, 'put' | 'get' | 'head' | 'list' | 'delete'>;

/** Attachments in R2, which refuses bytes that do not match their SHA-256. */
export function createR2AttachmentStore(bucket: AttachmentBucket, log: Log): AttachmentStore {
  const logFailure = (action: string, error: unknown): void =>
    log.error('attachment_store_failed', { action, message: String(error) });
  return {
    async put(sha256, bytes) {
      try {
        await bucket.put(sha256, bytes as Uint8Array<ArrayBuffer>, { sha256 });
        return 'done';
      } catch (error) {
        logFailure('put', error);
        return 'unavailable';
      }
    },

    async get(sha256) {
      try {
        const object = await bucket.get(sha256);
        if (object === null) return { kind: 'missing' };
        return { kind: 'found', bytes: new Uint8Array(await object.arrayBuffer()) };
      } catch (error) {
        logFailure('get', error);
        return { kind: 'unavailable' };
      }
    },

    async has(sha256) {
      try {
        return (await bucket.head(sha256)) === null ? 'missing' : 'found';
      } catch (error) {
        logFailure('has', error);
        return 'unavailable';
      }
    },

    async list(prefix) {
      const sha256s: string[] = [];
      try {
        for (let cursor: string | undefined; ; ) {
          const page = await bucket.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
          sha256s.push(...page.objects.map(({ key }) => key));
          if (!page.truncated) return sha256s;
          cursor = page.cursor;
        }
      } catch (error) {
        logFailure('list', error);
        return null;
      }
    },

    async remove(sha256s) {
      try {
        if (sha256s.length > 0) await bucket.delete([...sha256s]);
        return 'done';
      } catch (error) {
        logFailure('remove', error);
        return 'unavailable';
      }
    },
  };
}
