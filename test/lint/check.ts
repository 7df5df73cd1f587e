import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rules } from './rules.ts';
import { parseSource, type SourceFile } from './source-file.ts';
import { violations } from './violations.ts';

// The rules of the house that no other checker knows. Each is broken on purpose first: a rule that sees
// nothing passes as well.

const REPOSITORY = join(import.meta.dirname, '../..');
const SOURCES = ['packages/*/src/**/*.{ts,tsx}', 'workers/*/src/**/*.ts', 'test/**/*.ts', '*.ts'];

async function readSources(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const path of glob(SOURCES, { cwd: REPOSITORY })) {
    if (path.endsWith('.d.ts')) continue;
    files.push(parseSource(path.replaceAll('\\', '/'), await readFile(join(REPOSITORY, path), 'utf8')));
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The rules that find nothing wrong in a tree made to break them, and those that no tree breaks. */
function uselessRules(): string[] {
  const unbroken = new Set(rules.map(({ name }) => name));
  const blind: string[] = [];
  for (const { rule: name, files } of violations) {
    const tree = Object.entries(files).map(([path, text]) => parseSource(path, text));
    const rule = rules.find((one) => one.name === name);
    if (rule && rule.find(tree).length > 0) unbroken.delete(name);
    else blind.push(`${name} does not see ${JSON.stringify(files)}`);
  }
  return [...blind, ...[...unbroken].map((name) => `${name} is never broken by violations.ts`)];
}

const files = await readSources();
const problems = rules.flatMap((rule) => rule.find(files));
const failures = [
  ...uselessRules(),
  ...problems.map(({ rule, subject, message }) => `${rule}: ${subject} ${message}`),
];
for (const line of failures) console.error(line);
console.log(`${files.length} files, ${rules.length} rules, ${failures.length} problems`);
if (files.length === 0 || failures.length > 0) process.exitCode = 1;
