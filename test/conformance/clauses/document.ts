import type { Proof, Section } from './clause.ts';

/** The page with every clause. */
export const PAGE = 'docs/conformance.md';
/** The page with the summary, between two marks. */
export const SUMMARY_PAGE = 'docs/protocol.md';

const MARKS = ['<!-- conformance: generated -->', '<!-- conformance: end -->'] as const;

export function countOf(sections: readonly Section[]) {
  const clauses = sections.flatMap((section) => section.clauses);
  const named = new Set(clauses.flatMap(({ proofs }) => proofs.map(({ file, test }) => `${file} ${test}`)));
  return { sections: sections.length, clauses: clauses.length, tests: named.size };
}

/** docs/conformance.md. */
export function page(sections: readonly Section[]): string {
  const { clauses, tests } = countOf(sections);
  return [
    '# Conformance',
    '',
    'What the specification of the interface says, clause by clause, and the tests that prove it.',
    `${clauses} clauses, ${tests} tests and groups of tests. Generated from test/conformance/clauses by \`pnpm generate\`;`,
    'a clause without a test, or with one that does not exist or is skipped, fails the tests.',
    '',
    ...sections.flatMap((section) => [`## ${section.title}`, '', ...table(section), '']),
  ].join('\n');
}

function table({ clauses }: Section): string[] {
  return [
    '| clause | says | proven by |',
    '|---|---|---|',
    ...clauses.map(
      ({ id, says, proofs }) => `| \`${id}\` | ${cell(says)} | ${proofs.map(link).join('<br>')} |`,
    ),
  ];
}

function link({ file, test }: Proof): string {
  const name =
    file
      .split('/')
      .at(-1)
      ?.replace(/(\.(workers|node))?\.test\.ts$/, '') ?? file;
  return `[${name}](../${file}): ${cell(test)}`;
}

/** Text that Markdown leaves as it is, in one cell. */
function cell(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>#|~]/g, (character) => `\\${character}`).replaceAll(/\s+/g, ' ');
}

/** What stands between the marks of docs/protocol.md. */
export function summary(sections: readonly Section[]): string {
  const { clauses, tests } = countOf(sections);
  return [
    MARKS[0],
    `| part of the specification | clauses |`,
    '|---|---|',
    ...sections.map(
      (section) =>
        `| [${cell(section.title)}](conformance.md#${anchor(section.title)}) | ${section.clauses.length} |`,
    ),
    `| together, proven by ${tests} tests and groups of tests | ${clauses} |`,
    MARKS[1],
  ].join('\n');
}

/** As GitHub makes them of headings. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The text with what stands between its marks replaced. */
export function withSummary(text: string, sections: readonly Section[]): string {
  const [from, to] = [text.indexOf(MARKS[0]), text.indexOf(MARKS[1])];
  if (from === -1 || to < from)
    throw new Error(`${SUMMARY_PAGE} has no place for the summary of conformance.`);
  return text.slice(0, from) + summary(sections) + text.slice(to + MARKS[1].length);
}
