import type { LogFiles } from '../../kernel/ports/transparency/transparency-log.ts';

const CHECKPOINT = 'checkpoint';

/** The tiles and the checkpoint of the log in a bucket of their own, under the paths at which they are read. */
export function createR2LogFiles(bucket: Pick<R2Bucket, 'get' | 'put'>): LogFiles {
  return {
    async read(path) {
      const object = await bucket.get(path);
      return object && new Uint8Array(await object.arrayBuffer());
    },

    async write(path, bytes) {
      await bucket.put(path, bytes);
    },

    async readCheckpoint() {
      const object = await bucket.get(CHECKPOINT);
      return object && { text: await object.text(), version: object.etag };
    },

    async replaceCheckpoint(text, version) {
      const onlyIf = version === null ? { etagDoesNotMatch: '*' } : { etagMatches: version };
      return (await bucket.put(CHECKPOINT, text, { onlyIf })) !== null;
    },
  };
}
