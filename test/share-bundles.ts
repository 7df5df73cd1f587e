import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHARED_BUNDLES } from '@agent-marketplace/devkit/workerd/bundle.ts';

/** What one process of a run has bundled, the others read: bundling all Workers takes six seconds of processor. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[SHARED_BUNDLES] !== undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'bundles-'));
  process.env[SHARED_BUNDLES] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
