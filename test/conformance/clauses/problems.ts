import type { Section } from './section.ts';
import type { Tags } from './tags.ts';

const ID = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** What is wrong with the list of clauses and their tags: nothing, if a test that runs has the tag of each. */
export function problemsOf(sections: readonly Section[], { tags, problems: misplaced }: Tags): string[] {
  const problems: string[] = [];
  const known = new Set<string>();
  const proven = new Set(tags.map(({ clause }) => clause));
  for (const { title, clauses } of sections) {
    if (clauses.length === 0) problems.push(`${title}: has no clause`);
    for (const { id, says } of clauses) {
      if (!ID.test(id)) problems.push(`${id}: is no id`);
      if (known.has(id)) problems.push(`${id}: is there twice`);
      known.add(id);
      if (says.trim() === '') problems.push(`${id}: says nothing`);
      if (!proven.has(id)) problems.push(`${id}: no test has its tag`);
    }
  }
  for (const { clause, file } of tags) {
    if (!known.has(clause)) problems.push(`${file}: clause(${clause}) names no clause`);
  }
  return [...problems, ...misplaced];
}
