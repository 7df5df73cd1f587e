import { expect, it } from 'vitest';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createR2LogFiles } from './log-files.ts';

const files = createR2LogFiles(testBindings.ATTACHMENTS as R2Bucket);
const TILE = 'tile/0/000.p/1';

it('has tiles under their paths, and none that nobody wrote', async () => {
  expect(await files.read(TILE)).toBeNull();
  await files.write(TILE, new Uint8Array(32).fill(7));
  expect(await files.read(TILE)).toEqual(new Uint8Array(32).fill(7));
});

it('lists what begins so, however many answers that takes, and deletes what is named', async () => {
  const bucket = testBindings.ATTACHMENTS as R2Bucket;
  const inParts = createR2LogFiles({
    get: (key: string) => bucket.get(key),
    put: (key: string, value: ArrayBufferView) => bucket.put(key, value),
    list: (options) => bucket.list({ ...options, limit: 2 }),
    delete: (keys) => bucket.delete(keys),
  } as Pick<R2Bucket, 'get' | 'put' | 'list' | 'delete'>);
  const partial = [1, 2, 3, 4].map((width) => `tile/0/002.p/${width}`);
  for (const path of ['tile/0/002', 'tile/0/003', ...partial]) await files.write(path, new Uint8Array(32));
  expect(await inParts.list('tile/0/002')).toEqual(['tile/0/002', ...partial]);
  await inParts.delete(partial);
  expect(await files.list('tile/0/00')).toEqual(['tile/0/000.p/1', 'tile/0/002', 'tile/0/003']);
});

it('a checkpoint takes the place of the one that was read, and of no other', async () => {
  expect(await files.readCheckpoint()).toBeNull();
  expect(await files.replaceCheckpoint('first', null)).toBe(true);
  // Who found none would otherwise put an older one in place of this.
  expect(await files.replaceCheckpoint('also first', null)).toBe(false);
  const { text, version = '' } = (await files.readCheckpoint()) ?? {};
  expect(text).toBe('first');
  expect(await files.replaceCheckpoint('second', version)).toBe(true);
  expect(await files.replaceCheckpoint('another second', version)).toBe(false);
  expect((await files.readCheckpoint())?.text).toBe('second');
});
