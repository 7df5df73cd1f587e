import type { ErasureList } from '../../kernel/ports/attachment-store.ts';
import type { Log } from '../../kernel/ports/log.ts';
import type { AttachmentBucket } from './attachment-store.ts';

/** No attachment is called so: they are named by hex digits. */
const PREFIX = '_erasures/';

/** One empty object for each erasure, beside the attachments. */
export function createR2ErasureList(bucket: Pick<AttachmentBucket, 'put' | 'list'>, log: Log): ErasureList {
  const logFailure = (action: string, error: unknown): void =>
    log.error('erasure_list_failed', { action, message: String(error) });
  return {
    async add(digest) {
      try {
        await bucket.put(PREFIX + digest, '');
        return 'done';
      } catch (error) {
        logFailure('add', error);
        return 'unavailable';
      }
    },

    async list(after) {
      try {
        const { objects } = await bucket.list({ prefix: PREFIX, startAfter: PREFIX + after });
        return objects.map(({ key }) => key.slice(PREFIX.length));
      } catch (error) {
        logFailure('list', error);
        return null;
      }
    },
  };
}
