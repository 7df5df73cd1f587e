import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import type { Mutant } from './mutant.ts';

/** Where a mutant's source is, in the work tree at this root. */
export const sourcePath = (root: string, { file }: Mutant): string => join(root, 'packages/core/src', file);

/** The source with the mutant in it. Throws where it does not fit, so that no mutant tests nothing. */
export function mutate(root: string, mutant: Mutant): string {
  const { name, file, find, replace } = mutant;
  const parts = readFileSync(sourcePath(root, mutant), 'utf8').split(find);
  if (parts.length !== 2)
    throw new Error(
      `Mutant ${name}: what it replaces is ${parts.length - 1} times in ${file}, must be once. Adapt its line in test/mutants.`,
    );
  const mutated = parts.join(replace);
  // What does not even parse would be killed by any test.
  parseSync(mutated, { syntax: 'typescript' });
  return mutated;
}
