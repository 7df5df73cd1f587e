import type { LogFiles } from '../../kernel/ports/transparency/transparency-log.ts';

const CHECKPOINT = 'checkpoint';

/**
 * The tiles and the checkpoint of a log in a bucket of their own, under the paths at which they are read.
 *
 * @param folder of a log that took the place of another: `2/`.
 */
export function createR2LogFiles(
  bucket: Pick<R2Bucket, 'get' | 'put' | 'list' | 'delete'>,
  folder = '',
): LogFiles {
  return {
    async read(path) {
      const object = await bucket.get(`${folder}${path}`);
      return object && new Uint8Array(await object.arrayBuffer());
    },

    async write(path, bytes) {
      await bucket.put(`${folder}${path}`, bytes);
    },

    async list(prefix) {
      const paths: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await bucket.list({
          prefix: `${folder}${prefix}`,
          ...(cursor === undefined ? {} : { cursor }),
        });
        paths.push(...page.objects.map(({ key }) => key.slice(folder.length)));
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor !== undefined);
      return paths;
    },

    async delete(paths) {
      await bucket.delete(paths.map((path) => `${folder}${path}`));
    },

    async readCheckpoint() {
      const object = await bucket.get(`${folder}${CHECKPOINT}`);
      return object && { text: await object.text(), version: object.etag };
    },

    async replaceCheckpoint(text, version) {
      const onlyIf = version === null ? { etagDoesNotMatch: '*' } : { etagMatches: version };
      return (await bucket.put(`${folder}${CHECKPOINT}`, text, { onlyIf })) !== null;
    },
  };
}
