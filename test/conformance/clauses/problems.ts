import type { Proof, Section } from './clause.ts';

/** The titles of the tests that run, by file. */
export type ListedTests = ReadonlyMap<string, ReadonlySet<string>>;

const ID = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** What is wrong with the list of clauses: nothing, if each has tests that exist and are not skipped. */
export function problemsOf(sections: readonly Section[], listed: ListedTests): string[] {
  const problems: string[] = [];
  const known = new Set<string>();
  for (const { title, clauses } of sections) {
    if (clauses.length === 0) problems.push(`${title}: has no clause`);
    for (const { id, says, proofs } of clauses) {
      if (!ID.test(id)) problems.push(`${id}: is no id`);
      if (known.has(id)) problems.push(`${id}: is there twice`);
      known.add(id);
      if (says.trim() === '') problems.push(`${id}: says nothing`);
      if (proofs.length === 0) problems.push(`${id}: names no test`);
      for (const proof of proofs) {
        const problem = problemOf(proof, listed);
        if (problem !== null) problems.push(`${id}: ${problem}`);
      }
    }
  }
  return problems;
}

function problemOf({ file, test }: Proof, listed: ListedTests): string | null {
  const titles = listed.get(file);
  if (titles === undefined) return `${file} has no test that runs`;
  if (titles.has(test) || [...titles].some((title) => title.startsWith(`${test} > `))) return null;
  return `${file} has no test “${test}” that runs`;
}
