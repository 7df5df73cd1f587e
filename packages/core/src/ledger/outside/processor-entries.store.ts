import { eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isConflictIn } from '../../db/constraint.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, toStatement } from '../../db/query.ts';
import { processorEntries, processorReadings } from '../../db/tables/ledger.ts';
import type { BalanceEntry } from '../../kernel/ports/card-processor.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { isoTime } from '../../kernel/time.ts';

/** How far the processor's entries were read, and the reading under way. */
export type ProcessorReading = Readonly<Omit<typeof processorReadings.$inferSelect, 'id'>>;

const reading = query(() => build.select(getTableColumns(processorReadings)).from(processorReadings));

const known = query((p: Params<{ ids: string }>) =>
  build
    .select({ entryId: processorEntries.entryId })
    .from(processorEntries)
    .where(inArray(processorEntries.entryId, sql`(SELECT value FROM json_each(${p.ids}))`)),
);

export async function readProcessorReading(db: Database): Promise<ProcessorReading> {
  const row = await reading.first(db);
  if (row === null) throw new Error('The row of the processor readings is missing.');
  return row;
}

export function setProcessorReading(changes: Partial<ProcessorReading>): Statement {
  return toStatement(build.update(processorReadings).set(changes).where(eq(processorReadings.id, 1)));
}

/** Of these entries, those that were not read before. */
export async function listNewEntries(
  db: Database,
  entries: readonly BalanceEntry[],
): Promise<BalanceEntry[]> {
  const rows = await known.all(db, { ids: JSON.stringify(entries.map(({ entryId }) => entryId)) });
  const ids = new Set(rows.map(({ entryId }) => entryId));
  return entries.filter(({ entryId }) => !ids.has(entryId));
}

export function insertProcessorEntry({ createdAtMs, ...entry }: BalanceEntry): Statement {
  return insertInto(processorEntries, { ...entry, createdAt: isoTime(createdAtMs) });
}

/** Somebody else read the same entry at the same moment. */
export const isReadAlready = (error: unknown): boolean => isConflictIn(error, processorEntries);
