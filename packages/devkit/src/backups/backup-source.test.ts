import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LATEST_PATH } from '@agent-marketplace/core/backups/index.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BackupSource, folderSource, readManifest } from './backup-source.ts';

const [OLD, NEW] = ['2026-05-25T03-00-00.000Z', '2026-06-01T03-00-00.000Z'] as const;
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-source-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function finish(id: string): Promise<void> {
  await mkdir(join(folder, id));
  await writeFile(join(folder, id, 'manifest.json'), JSON.stringify({ id, parts: [] }));
}

it('takes the last finished backup of a folder that holds no list of them, and shows all where an id is wrong', async () => {
  await finish(NEW);
  await finish(OLD);
  await mkdir(join(folder, '2026-06-08T03-00-00.000Z'));
  const source = folderSource(folder);
  expect((await readManifest(source, null)).id).toBe(NEW);
  expect((await readManifest(source, OLD)).id).toBe(OLD);
  await expect(readManifest(source, 'wrong')).rejects.toThrow(
    `There is no finished backup wrong. There are: ${NEW}, ${OLD}.`,
  );
});

it('says that there is none in a folder that is empty or not there', async () => {
  for (const one of [folder, join(folder, 'nowhere')])
    await expect(readManifest(folderSource(one), null)).rejects.toThrow(/^There is no finished backup\.$/);
});

it('takes what the list of a bucket names', async () => {
  await finish(OLD);
  await writeFile(join(folder, LATEST_PATH), JSON.stringify({ id: OLD, earlier: [] }));
  const bucket: BackupSource = (path) => folderSource(folder)(path);
  expect((await readManifest(bucket, null)).id).toBe(OLD);
  await expect(readManifest(bucket, 'wrong')).rejects.toThrow(`There are: ${OLD}.`);
});
