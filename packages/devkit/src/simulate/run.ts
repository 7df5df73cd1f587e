import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { report } from './report.ts';
import { withReport } from './scale-page.ts';

/** Prints the simulation's results; with `--write`, puts them into docs/scale.md. */
const text = report();
console.log(text);
if (process.argv.includes('--write')) {
  const page = join(REPOSITORY, 'docs/scale.md');
  await writeFile(page, withReport(await readFile(page, 'utf8'), text));
}
