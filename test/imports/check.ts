import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { rules } from './rules.ts';
import { violations } from './violations.ts';

// Who may import whom (docs/architecture.md). A checker that sees nothing passes as well, so this one
// also counts what it saw, and breaks each rule on purpose first.

const REPOSITORY = join(import.meta.dirname, '../..');
const SOURCES = ['packages/*/src/**/*.{ts,tsx}', 'workers/*/src/**/*.ts', 'test/**/*.ts', '*.ts'];

async function sourceFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(SOURCES, { cwd: root })) {
    if (!file.endsWith('.d.ts')) files.push(file);
  }
  return files.sort();
}

async function cruiseTree(root: string, files: string[]): Promise<ICruiseResult> {
  const { output } = await cruise(
    files,
    {
      baseDir: root,
      parser: 'swc',
      validate: true,
      ruleSet: { forbidden: rules },
      // Types count: a slice that knows another's types depends on it.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    },
    {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'types'],
      exportsFields: ['exports'],
    },
  );
  if (typeof output === 'string') throw new Error(output);
  return output;
}

const TRANSACTION = /(?<!storage)\.transaction\(/;

/** D1 has no interactive transactions; drizzle's method fails at run time only. */
async function interactiveTransactions(root: string, files: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const file of files.filter((path) => !/^test\/|\.test\.ts$/.test(path))) {
    if (TRANSACTION.test(await readFile(join(root, file), 'utf8'))) found.push(file);
  }
  return found;
}

async function check(root: string): Promise<{ problems: string[]; seen: number }> {
  const files = await sourceFiles(root);
  const { modules, summary } = await cruiseTree(root, files);
  const seen = new Set(modules.map(({ source }) => source));
  return {
    seen: files.filter((file) => seen.has(file)).length,
    problems: [
      ...files.filter((file) => !seen.has(file)).map((file) => `not-seen: ${file}`),
      ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
      ...(await interactiveTransactions(root, files)).map((file) => `no-transactions: ${file}`),
    ],
  };
}

/** The rules that find nothing wrong in a tree made to break them. */
async function uselessRules(): Promise<string[]> {
  const useless = new Set(rules.map(({ name }) => String(name)).concat('no-transactions'));
  const transaction = {
    rule: 'no-transactions',
    files: { 'packages/core/src/agents/a.store.ts': 'export const f = (db) => db.transaction(() => {});' },
  };
  const failures: string[] = [];
  for (const { rule, files } of [...violations, transaction]) {
    const root = await mkdtemp(join(tmpdir(), 'imports-'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const { problems } = await check(root);
    await rm(root, { recursive: true });
    if (problems.some((problem) => problem.startsWith(`${rule}:`))) useless.delete(rule);
    else failures.push(`${rule} does not see ${Object.keys(files).join(' → ')}`);
  }
  return [...failures, ...[...useless].map((rule) => `${rule} is never broken by violations.ts`)];
}

const useless = await uselessRules();
const { problems, seen } = await check(REPOSITORY);
for (const line of [...useless, ...problems]) console.error(line);
console.log(`${seen} modules, ${rules.length} rules, ${useless.length + problems.length} problems`);
if (seen === 0 || useless.length > 0 || problems.length > 0) process.exitCode = 1;
