import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHARED_BUNDLES } from '@agent-marketplace/devkit/workerd/bundle.ts';
import {
  MIGRATED_STORAGE,
  writeMigratedStorage,
} from '@agent-marketplace/devkit/workerd/migrated-storage.ts';

/**
 * What every marketplace of a run starts with is made once: what one process has bundled, the others read, which is six
 * seconds of processor each; and all begin with a copy of the same migrated databases.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[SHARED_BUNDLES] !== undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  process.env[SHARED_BUNDLES] = folder;
  try {
    await writeMigratedStorage(folder);
  } catch (error) {
    await remove();
    throw error;
  }
  process.env[MIGRATED_STORAGE] = folder;
  return remove;
}
