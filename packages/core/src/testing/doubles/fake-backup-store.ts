import type { BackupStore } from '../../kernel/ports/backups/backup-store.ts';

/** Backups in memory; a test may break it, before or after it has worked. */
export class FakeBackupStore implements BackupStore {
  readonly objects = new Map<string, Uint8Array>();
  fault: () => 'lose_request' | 'lose_reply' | undefined = () => undefined;

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#call(() => this.objects.set(path, bytes.slice()));
  }

  async listFolders(): Promise<string[]> {
    return this.#call(() => [
      ...new Set(
        [...this.objects.keys()]
          .filter((path) => path.includes('/'))
          .map((path) => path.split('/', 1)[0] ?? ''),
      ),
    ]);
  }

  async removeFrom(folder: string): Promise<void> {
    await this.#call(() => {
      for (const path of this.objects.keys()) if (path.startsWith(`${folder}/`)) this.objects.delete(path);
    });
  }

  async #call<T>(work: () => T): Promise<T> {
    const fault = this.fault();
    if (fault === 'lose_request') throw new Error('The store was not reached.');
    const result = work();
    if (fault === 'lose_reply') throw new Error('The store’s reply was lost.');
    return result;
  }
}
