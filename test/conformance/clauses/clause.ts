/** A test by the file it is in and its title, groups first: `group > test`, as it stands there, `%s` and all. */
export interface Proof {
  readonly file: string;
  /** A group stands for all of its tests. */
  readonly test: string;
}

/** One thing that the specification says, in short words, and the tests that prove that it is so. */
export interface Clause {
  /** Never changes, and never means another clause. */
  readonly id: string;
  readonly says: string;
  readonly proofs: readonly Proof[];
}

/** A part of the specification. */
export interface Section {
  readonly title: string;
  readonly clauses: readonly Clause[];
}

type Row = readonly [id: string, says: string, ...proofs: Proof[]];

/** The ids of a section's clauses begin with its own. */
export function section(id: string, title: string, rows: readonly Row[]): Section {
  return {
    title,
    clauses: rows.map(([name, says, ...proofs]) => ({ id: `${id}.${name}`, says, proofs })),
  };
}

/** Names tests of one file, or of one group in it; without a title all of the group. */
export function testsOf(file: string, group?: string) {
  return (title?: string): Proof => ({
    file,
    test: [group, title].filter((part) => part !== undefined).join(' > '),
  });
}

/** The same for a file of this folder's parent. */
export function conformance(name: string, group?: string) {
  return testsOf(`test/conformance/${name}.test.ts`, group);
}
