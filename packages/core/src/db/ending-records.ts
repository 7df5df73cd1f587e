import { type SQL, sql } from 'drizzle-orm';
import { write } from './query.ts';
import { endedRecords, endingRecords } from './tables/ledger.ts';

// What ends in a transaction is named first, and each statement after that asks for the names.

/** `select` gives kinds, ids and, of what is carried on, cents. */
export const nameEnding = (select: SQL): SQL => sql`INSERT INTO ${endingRecords} (kind, id, cents) ${select}`;

/** The ids of one kind. */
export const endingOf = (kind: string): SQL =>
  sql`(SELECT id FROM ${endingRecords} WHERE kind = ${sql.raw(`'${kind}'`)})`;

/** The last statement of such a transaction. */
export const forgetEnding = write(() => sql`DELETE FROM ${endingRecords}`);

/** `select` gives what is looked through, what for, and from which row on, and says what happens to a mark that is there. */
export const markWalk = (select: SQL): SQL =>
  sql`INSERT INTO ${endedRecords} (name, walk, after_row) ${select}`;

export const moveMark = (name: string, afterRow: SQL): SQL =>
  sql`UPDATE ${endedRecords} SET after_row = ${afterRow} WHERE name = ${sql.raw(`'${name}'`)}`;
