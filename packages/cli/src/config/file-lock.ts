import { randomUUID } from 'node:crypto';
import { access, constants, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CliFailure } from '../frame/cli-failure.ts';

/** What is done under a lock takes milliseconds: one that is older was left behind, if its process is gone. */
const STALE_MS = 10_000;
const POLL_MS = 20;

interface LockOptions {
  /** How long to wait for whoever holds it, in milliseconds. */
  readonly waitMs?: number;
}

/**
 * Does the work while no other process does it for the same file: its lock is the file beside it that ends in `.lock`, and
 * names its process. One whose process ended is taken over; no other is removed.
 *
 * @throws CliFailure if the folder cannot be written, or somebody holds the lock all the time.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  { waitMs = 30_000 }: LockOptions = {},
): Promise<T> {
  const lock = `${path}.lock`;
  const owner = `${process.pid} ${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const deadline = Date.now() + waitMs;
  while (!(await isTaken(lock, owner))) {
    if (Date.now() > deadline)
      throw new CliFailure('config', `Another process has been changing ${path} for too long.`, {
        hint: `If there is none, remove ${lock}.`,
      });
    if (!(await isStaleRemoved(lock))) await setTimeout(POLL_MS);
  }
  try {
    return await work();
  } finally {
    if ((await readOrNull(lock)) === owner) await rm(lock, { force: true });
  }
}

async function isTaken(lock: string, owner: string): Promise<boolean> {
  try {
    await writeFile(lock, owner, { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    await access(dirname(lock), constants.W_OK).catch(() => {
      throw new CliFailure('config', `${lock.replace(/\.lock$/, '')} cannot be written.`);
    });
    return false;
  }
}

/** Renaming moves one file away for one process alone; what turns out to be somebody's new lock is put back. */
async function isStaleRemoved(lock: string): Promise<boolean> {
  const owner = await readOrNull(lock);
  const held = await stat(lock).catch(() => null);
  if (owner === null || held === null || Date.now() - held.mtimeMs < STALE_MS || isRunning(owner))
    return false;
  const moved = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, moved);
  } catch {
    return false;
  }
  const isStale = (await readOrNull(moved)) === owner;
  if (!isStale) await link(moved, lock).catch(() => {});
  await rm(moved, { force: true });
  return isStale;
}

/** Whether the process runs that an owner names. */
function isRunning(owner: string): boolean {
  const pid = Number.parseInt(owner, 10);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, and is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const readOrNull = (path: string) => readFile(path, 'utf8').catch(() => null);
