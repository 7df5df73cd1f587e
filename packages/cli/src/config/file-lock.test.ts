import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { withFileLock } from './file-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'gateway.json');
const lock = `${path}.lock`;
const longAgo = new Date(Date.now() - 60_000);

/** A lock that a process left a minute ago. */
function leaveLock(pid: number): void {
  writeFileSync(lock, `${pid} left`);
  utimesSync(lock, longAgo, longAgo);
}

it('takes over what a process left that ended, one of many at a time', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  leaveLock(pid);
  let [running, most] = [0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 12 }, () => withFileLock(path, work)));
  expect([most, readdirSync(folder)]).toEqual([1, []]);
});

it('leaves an old lock to a process that runs, and says so in the end', async () => {
  leaveLock(process.pid);
  const waiting = withFileLock(path, async () => 'done', { waitMs: 60 });
  await expect(waiting).rejects.toMatchObject({
    exit: 'config',
    message: expect.stringContaining('Another process'),
    hint: expect.stringContaining(lock),
  });
  expect(readFileSync(lock, 'utf8')).toBe(`${process.pid} left`);
  rmSync(lock);
});

it('does not remove the lock of whoever took it over', async () => {
  await withFileLock(path, async () => writeFileSync(lock, 'another'));
  expect(readFileSync(lock, 'utf8')).toBe('another');
  rmSync(lock);
});
