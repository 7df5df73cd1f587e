import { link, mkdir, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnswerStore } from '../answer-store.ts';

export interface FileAnswersOptions {
  /** Files that are older are removed. Default 90: nobody asks for an answer again that late. */
  readonly keepDays?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const DAY_MS = 86_400_000;
const PRUNE_EVERY_MS = 3_600_000;

/**
 * Keeps each answer in a file of this directory, which only you can read: restarts lose nothing, and several processes of
 * one machine give one answer. The directory is made if need be.
 */
export function fileAnswers(
  directory: string,
  { keepDays = 90, now = Date.now }: FileAnswersOptions = {},
): AnswerStore {
  const pathOf = (key: string) => join(directory, `${key}.json`);
  let prunedAt = Number.NEGATIVE_INFINITY;

  async function prune(): Promise<void> {
    if (now() - prunedAt < PRUNE_EVERY_MS) return;
    prunedAt = now();
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      const { mtimeMs } = await stat(path);
      if (now() - mtimeMs > keepDays * DAY_MS) await rm(path, { force: true });
    }
  }

  return {
    get: (key) => readOrNull(pathOf(key)),
    async put(key, answer) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const path = pathOf(key);
      const written = `${path}.${crypto.randomUUID()}`;
      await writeFile(written, answer, { mode: 0o600, flush: true });
      try {
        // Unlike a rename, this is refused if there is one, and never shows half a file.
        await link(written, path);
        return undefined;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
        return (await readOrNull(path)) ?? undefined;
      } finally {
        await unlink(written);
        await prune().catch(() => {});
      }
    },
  };
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
