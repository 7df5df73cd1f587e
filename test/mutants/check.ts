import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MUTANTS } from './mutants.data.ts';
import { mutate } from './mutate.ts';

// Whether every mutant still fits the code, and its tests are there: a list that nobody runs in CI rots unseen.

const ROOT = join(import.meta.dirname, '../..');

function faultsOf(mutant: (typeof MUTANTS)[number]): string[] {
  const faults = mutant.tests
    .filter((file) => !existsSync(join(ROOT, file)))
    .map((file) => `Mutant ${mutant.name}: there is no ${file}.`);
  if (mutant.tests.length === 0) faults.push(`Mutant ${mutant.name}: no test must notice it.`);
  try {
    mutate(ROOT, mutant);
  } catch (error) {
    faults.push(String(error));
  }
  return faults;
}

const names = MUTANTS.map(({ name }) => name);
const repeated = names.filter((name, at) => names.indexOf(name) !== at);
const faults = [
  ...repeated.map((name) => `Two mutants are called ${name}.`),
  ...MUTANTS.flatMap((mutant) => faultsOf(mutant)),
];
for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log(`${MUTANTS.length} mutants fit the code.`);
process.exitCode = faults.length === 0 ? 0 : 1;
