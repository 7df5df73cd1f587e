import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import { compileContractsFile } from './chain/compile-contracts.ts';
import { generatedFiles } from './generate/generated-files.ts';

// Not imported from marketplace.ts, which would load the whole local runtime.
const REPOSITORY = join(import.meta.dirname, '../../..');

const checkOnly = process.argv.includes('--check');
const outdated: string[] = [];

for (const [path, text] of [...generatedFiles(documentedOperations), await compileContractsFile()]) {
  const file = join(REPOSITORY, path);
  if ((await readFile(file, 'utf8').catch(() => null)) === text) continue;
  outdated.push(path);
  if (checkOnly) continue;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

if (checkOnly && outdated.length > 0) {
  console.error(`Out of date; run \`pnpm generate\`:\n${outdated.map((path) => `  ${path}`).join('\n')}`);
  process.exitCode = 1;
} else {
  console.log(outdated.length === 0 ? 'Everything is up to date.' : `Wrote ${outdated.join(', ')}.`);
}
