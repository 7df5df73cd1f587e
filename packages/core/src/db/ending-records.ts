import { eq, type SQL, sql } from 'drizzle-orm';
import { build, excluded } from './build.ts';
import { type Find, type InsertedRow, insertFrom } from './insert-from.ts';
import { write } from './query.ts';
import { endedRecords, endingRecords } from './tables/ledger.ts';

// What ends in a transaction is named first, and each statement after that asks for the names.

/** `row` has the kind and id of each row that `find` finds and, of what is carried on, cents. */
export const nameEnding = (row: InsertedRow<typeof endingRecords>, find: Find) =>
  insertFrom(endingRecords, row, find);

/** The ids of one kind. */
export const endingOf = (kind: string): SQL =>
  sql`(SELECT id FROM ${endingRecords} WHERE kind = ${sql.raw(`'${kind}'`)})`;

/** The last statement of such a transaction. */
export const forgetEnding = write(() => build.delete(endingRecords));

/** `row`: what is looked through, what for, and from which row on. A mark that is there goes on where `set` says. */
export const markWalk = (
  row: InsertedRow<typeof endedRecords>,
  find: Find,
  { afterRow, setWhere }: { readonly afterRow?: SQL | number; readonly setWhere?: SQL } = {},
) =>
  insertFrom(endedRecords, row, find).onConflictDoUpdate({
    target: endedRecords.name,
    set: { ...excluded(endedRecords, 'walk'), ...(afterRow === undefined ? {} : { afterRow }) },
    ...(setWhere && { setWhere }),
  });

export const moveMark = (name: string, afterRow: SQL) =>
  build.update(endedRecords).set({ afterRow }).where(eq(endedRecords.name, name));
