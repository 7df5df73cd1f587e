import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { ListedTests } from './problems.ts';

export const REPOSITORY = join(import.meta.dirname, '../../..');

/**
 * The tests below a folder, as vitest reads them without running them: titles of `each` with their placeholders.
 * What is skipped, to be done, or run on a condition only is not among them.
 */
export async function listTests(root = REPOSITORY): Promise<ListedTests> {
  const scratch = await mkdtemp(join(tmpdir(), 'clauses-'));
  const out = join(scratch, 'tests.json');
  try {
    const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'list', '--static-parse', `--json=${out}`, '--root', root];
    await promisify(execFile)(process.execPath, args, { cwd: root, env: withoutVitest() });
    const found = JSON.parse(await readFile(out, 'utf8')) as { name: string; file: string }[];
    const byFile = Map.groupBy(found, ({ file }) => relative(root, file).replaceAll('\\', '/'));
    return new Map([...byFile].map(([file, tests]) => [file, new Set(tests.map(({ name }) => plain(name)))]));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A run of vitest inside of another must not take itself for a part of that. */
function withoutVitest(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
}

/** Quotation marks are listed as they would stand between quotation marks. */
const plain = (name: string) => name.replaceAll('\\"', '"');
