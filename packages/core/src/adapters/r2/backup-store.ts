import type { BackupStore } from '../../kernel/ports/backups/backup-store.ts';

/** Backups in a bucket of their own, which only the jobs are bound to. */
export function createR2BackupStore(bucket: Pick<R2Bucket, 'put' | 'list' | 'delete'>): BackupStore {
  return {
    async write(path, bytes) {
      await bucket.put(path, bytes);
    },

    async listFolders() {
      const { delimitedPrefixes } = await bucket.list({ delimiter: '/' });
      return delimitedPrefixes.map((prefix) => prefix.slice(0, -1));
    },

    async removeFrom(folder) {
      const { objects } = await bucket.list({ prefix: `${folder}/` });
      if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    },
  };
}
