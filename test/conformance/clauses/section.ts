/** One thing that the specification says, in short words. The tests that prove it name it by `clause(id)`. */
export interface Clause<Id extends string = string> {
  /** Never changes, and never means another clause. */
  readonly id: Id;
  readonly says: string;
}

/** A part of the specification. */
export interface Section<Id extends string = string> {
  readonly title: string;
  readonly clauses: readonly Clause<Id>[];
}

type Row<Name extends string> = readonly [name: Name, says: string];

/** The ids of a section's clauses begin with its own. */
export function section<const Id extends string, const Name extends string>(
  id: Id,
  title: string,
  rows: readonly Row<Name>[],
): Section<`${Id}.${Name}`> {
  return { title, clauses: rows.map(([name, says]) => ({ id: `${id}.${name}` as const, says })) };
}
