import { expect } from 'vitest';

type Body = Readonly<Record<string, unknown>>;

/**
 * Expects what a tool answers to be what REST answers, but for the fields that its rows leave out, and for what says how
 * the rows go on.
 */
export function expectShort(answered: Body, whole: Body, lists: readonly string[]): void {
  const withoutRows = (body: Body) =>
    Object.fromEntries(
      Object.entries(body).filter(([name]) => ![...lists, 'limit', 'nextOffset', 'hint'].includes(name)),
    );
  expect(withoutRows(answered)).toEqual(withoutRows(whole));
  for (const list of lists) {
    const rows = answered[list] as Body[];
    const fields = rows.map(({ summary: _, successRate: __, ...row }) => row);
    expect((whole[list] as Body[]).slice(0, rows.length)).toMatchObject(fields);
  }
}
