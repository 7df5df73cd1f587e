import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.data.ts';
import { mutate, sourcePath } from './mutate.ts';
import { createWorkCopy } from './work-copy.ts';

// Breaks one line of the code of money at a time, and runs the tests that must notice. Arguments name mutants; without
// any, all are tried, or those of one of several parts (`--part 2/5`). It ends with 1 if a mutant survives, or if the list does not fit the code any more.

/** Of one mutant, and of all tests without any: on a busy machine, too. */
const TIMEOUT_MS = { mutant: 900_000, unbroken: 3_600_000 };
/** A test that is slow on a busy machine has noticed nothing. */
const PATIENCE = '--testTimeout=240000';
const REPORT = 'mutants-report.json';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

type Verdict =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'survived' | 'timed out' | 'not run' };

const copy = createWorkCopy();
process.on('SIGINT', () => process.exit(130));
process.on('exit', copy.remove);

function runTests(files: readonly string[], timeout = TIMEOUT_MS.mutant): Verdict {
  const report = join(copy.path, REPORT);
  rmSync(report, { force: true });
  const vitest = join(copy.path, 'node_modules/vitest/vitest.mjs');
  const projects = new Set(files.map(projectOf));
  const words = [...projects].flatMap((project) => ['--project', project]);
  const { error } = spawnSync(
    process.execPath,
    [vitest, 'run', ...words, '--bail=1', PATIENCE, '--reporter=json', `--outputFile=${report}`, ...files],
    // Every way in which calls break, and not those alone that each run tries.
    { cwd: copy.path, env: { ...process.env, FULL: '1' }, stdio: 'ignore', timeout, killSignal: 'SIGKILL' },
  );
  if (error) return { kind: 'timed out' };
  if (!existsSync(report)) return { kind: 'not run' };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed) return { kind: 'killed', by: `${relative(copy.path, name)}: ${failed.fullName}` };
  }
  // Scenarios are rehearsed while their tests are collected, and then it is the whole file that fails.
  const file = testResults.find(({ status }) => status === 'failed');
  if (file)
    return { kind: 'killed', by: `${relative(copy.path, file.name)}: ${file.message.split('\n')[0]}` };
  const hasRun = testResults.some(({ assertionResults }) => assertionResults.length > 0);
  return { kind: hasRun ? 'survived' : 'not run' };
}

const pathOf = (mutant: Mutant): string => sourcePath(copy.path, mutant);

const { values: options, positionals: names } = parseArgs({
  options: { part: { type: 'string', default: '1/1' } },
  allowPositionals: true,
});
const [part = 0, parts = 0] = options.part.split('/').map(Number);
if (!(part >= 1 && part <= parts)) throw new Error('A part is written as in --part 2/5.');
/** Neighbours, whose tests are often the same. */
const isOfPart = (at: number): boolean => Math.floor((at * parts) / MUTANTS.length) === part - 1;
const unknown = names.filter((name) => !MUTANTS.some((mutant) => mutant.name === name));
if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}.`);
const chosen = MUTANTS.filter(({ name }, at) => (names.length === 0 ? isOfPart(at) : names.includes(name)));

for (const mutant of MUTANTS) mutate(copy.path, mutant);
const unbroken = runTests([...new Set(chosen.flatMap(({ tests }) => tests))], TIMEOUT_MS.unbroken);
if (unbroken.kind !== 'survived') throw new Error(`Without any mutant: ${JSON.stringify(unbroken)}`);

const counts = new Map<Verdict['kind'], number>();
for (const mutant of chosen) {
  const source = readFileSync(pathOf(mutant), 'utf8');
  const startedAt = performance.now();
  writeFileSync(pathOf(mutant), mutate(copy.path, mutant));
  const verdict = runTests(mutant.tests);
  writeFileSync(pathOf(mutant), source);
  counts.set(verdict.kind, (counts.get(verdict.kind) ?? 0) + 1);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const by =
    verdict.kind === 'killed' ? verdict.by : `${mutant.file}, in spite of ${mutant.tests.join(', ')}`;
  console.log(
    `${verdict.kind.padEnd(9)} ${String(seconds).padStart(4)} s  ${mutant.name}\n${' '.repeat(18)}${by}`,
  );
}
console.log([...counts].map(([kind, count]) => `${count} ${kind}`).join(', '));
process.exitCode = counts.get('killed') === chosen.length ? 0 : 1;

function projectOf(file: string): string {
  if (file.includes('.long.')) return 'long';
  return file.startsWith('test/fault/') ? 'fault' : 'node';
}
