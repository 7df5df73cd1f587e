import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countOf, PAGE, page, SUMMARY_PAGE, withSummary } from './document.ts';
import { sections } from './index.ts';
import { problemsOf } from './problems.ts';
import { REPOSITORY, readTags } from './tags.ts';

// Without arguments prints the clauses with their tests; --write puts them into docs; --check says what is wrong
// with them or out of date.

const found = await readTags();
const { tags } = found;
const read = (path: string) => readFile(join(REPOSITORY, path), 'utf8').catch(() => '');
const pages = [
  [PAGE, page(sections, tags)],
  [SUMMARY_PAGE, withSummary(await read(SUMMARY_PAGE), sections, tags)],
] as const;

if (process.argv.includes('--write')) {
  for (const [path, text] of pages) await writeFile(join(REPOSITORY, path), text);
} else if (process.argv.includes('--check')) {
  const problems = problemsOf(sections, found);
  for (const [path, text] of pages) {
    if ((await read(path)) !== text) problems.push(`${path} is out of date; run \`pnpm generate\``);
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
} else {
  for (const { title, clauses } of sections) {
    console.log(`\n${title} (${clauses.length})`);
    for (const { id, says } of clauses) {
      console.log(`  ${id}: ${says}`);
      for (const { file, test } of tags.filter(({ clause }) => clause === id))
        console.log(`    ${file}: ${test}`);
    }
  }
}

const { clauses, tests } = countOf(sections, tags);
console.log(`${clauses} clauses in ${sections.length} parts, proven by ${tests} tests and groups of tests.`);
