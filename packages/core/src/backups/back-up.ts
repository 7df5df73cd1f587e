import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { BackupStore } from '../kernel/ports/backups/backup-store.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { DAY_MS, epochOf, isoTime } from '../kernel/time.ts';
import { type BackupTable, type PageSize, watchingTriggers } from './backup-sql.rules.ts';
import {
  advanceBackup,
  type Backup,
  beginBackup,
  type ChangedTable,
  changeSchema,
  dropTriggers,
  findNewestBackup,
  isAhead,
  listFinishedBackups,
  listParts,
  listWatchingTriggers,
  type NextStep,
  type Row,
  readChanges,
  readPage,
  readSchema,
  readTables,
} from './backups.store.ts';

type BackupPorts = Pick<Ports, 'market' | 'backups' | 'clock' | 'log'>;

/** How much one run does. A part is in memory as rows, as text and as bytes. */
export interface BackupPace {
  readonly page: PageSize;
  readonly partsAtOnce: number;
  readonly changesAtOnce: number;
}
const PACE: BackupPace = { page: { rows: 5000, bytes: 4_000_000 }, partsAtOnce: 40, changesAtOnce: 200 };

const PERIOD_MS = 7 * DAY_MS;
/** One that is under way for so long cannot be made: it is begun anew. */
const MAX_DURATION_MS = 2 * DAY_MS;
const KEPT_DAYS = 35;
/** A Worker may send 1,000 statements for one event, and other jobs need some. */
const SCHEMA_CHANGES_AT_ONCE = 90;

/** What a backup consists of, in the order in which it was written; whoever restores one reads them in that order. */
export type BackupPart =
  | { readonly kind: 'rows'; readonly table: BackupTable; readonly rows: readonly Row[] }
  | { readonly kind: 'changes'; readonly tables: readonly ChangedTable[] };

/** Where parts are, by their digest: a run that was cut off may have written one that does not count. */
export const partPath = (id: string, sha256: string): string => `${id}/${sha256}.json`;
export const manifestPath = (id: string): string => `${id}/manifest.json`;
/** Which backup is the last one, and which are older. */
export const LATEST_PATH = 'latest.json';

/**
 * Copies the database into the object store once a week, some parts a minute, while it is in use. Triggers write down which
 * rows change meanwhile. Those are copied again and again until few enough are left to read them in one transaction: at
 * that moment the copy is the whole database. Each step is stored, so a run may be cut off anywhere.
 */
export async function backUp(ports: BackupPorts, pace: BackupPace = PACE): Promise<void> {
  const { market, backups: store } = ports;
  if (store === null) return;
  try {
    for (let parts = 0; parts < pace.partsAtOnce; parts += 1) {
      const backup = await findNewestBackup(market);
      if (backup === null || backup.state === 'ended') {
        await beginIfDue(ports, backup);
        return;
      }
      if (!(await takeStep(ports, store, backup, pace))) return;
    }
  } catch (error) {
    // Another run of this job goes on with it.
    if (!isAhead(error)) throw error;
  }
}

async function beginIfDue({ market, clock }: BackupPorts, last: Backup | null): Promise<void> {
  const now = clock.now();
  const isGivenUp = last !== null && last.finishedAt === null;
  if (last !== null && !isGivenUp && now - epochOf(last.startedAt) < PERIOD_MS) return;
  const startedAt = isoTime(now);
  const schemaDigest = await schemaDigestOf(await readSchema(market));
  await market.commit(beginBackup({ id: startedAt.replaceAll(':', '-'), startedAt, schemaDigest }));
}

const schemaDigestOf = (schema: readonly unknown[]): Promise<string> => sha256Hex(JSON.stringify(schema));

/** False: there is nothing more to do in this run. */
async function takeStep(
  ports: BackupPorts,
  store: BackupStore,
  backup: Backup,
  pace: BackupPace,
): Promise<boolean> {
  const { clock } = ports;
  if (backup.state !== 'ending' && clock.now() - epochOf(backup.startedAt) > MAX_DURATION_MS) {
    return giveUp(ports, backup, 'too_slow');
  }
  switch (backup.state) {
    case 'watching':
      return watch(ports, backup);
    case 'rows':
      return copyPage(ports, store, backup, pace);
    case 'changes':
      return copyChanges(ports, store, backup, pace);
    case 'ending':
      return end(ports, store, backup);
    case 'ended':
      return false;
  }
}

async function giveUp({ market, log }: BackupPorts, backup: Backup, reason: string): Promise<true> {
  log.error('backup_given_up', { backup: backup.id, reason });
  await market.commit(advanceBackup(backup, { state: 'ending' }));
  return true;
}

/** Makes the triggers, some at a time; rows are read once all are there. */
async function watch({ market }: BackupPorts, backup: Backup): Promise<boolean> {
  const existing = new Set(await listWatchingTriggers(market));
  const tables = await readTables(market);
  const missing = tables.flatMap((table) =>
    [...watchingTriggers(table)].flatMap(([name, sql]) => (existing.has(name) ? [] : [sql])),
  );
  if (missing.length === 0) {
    await market.commit(advanceBackup(backup, { state: 'rows' }));
    return true;
  }
  await market.commit(missing.slice(0, SCHEMA_CHANGES_AT_ONCE).map(changeSchema));
  return false;
}

async function copyPage(
  { market }: BackupPorts,
  store: BackupStore,
  backup: Backup,
  { page }: BackupPace,
): Promise<true> {
  const { table: at, after } = backup.cursor;
  const tables = await readTables(market);
  const table = tables[at];
  if (table === undefined) {
    await market.commit(advanceBackup(backup, { state: 'changes' }));
    return true;
  }
  const rows = await readPage(market, table, after, page);
  const last = rows.at(-1);
  const next: NextStep = {
    cursor: last
      ? {
          table: at,
          after: table.key.map((column) => last[table.columns.indexOf(column)] as string | number),
        }
      : { table: at + 1, after: null },
  };
  const part = last ? await writePart(store, backup, { kind: 'rows', table, rows }, rows.length) : null;
  await market.commit(advanceBackup(backup, part === null ? next : { ...next, part }));
  return true;
}

async function copyChanges(
  ports: BackupPorts,
  store: BackupStore,
  backup: Backup,
  { changesAtOnce }: BackupPace,
): Promise<true> {
  const { market, clock, log } = ports;
  const schema = await readSchema(market);
  // A migration in between: tables that were made anew had no triggers, and rows have other columns.
  if ((await schemaDigestOf(schema)) !== backup.schemaDigest) return giveUp(ports, backup, 'schema_changed');
  const { last, count, tables } = await readChanges(market, await readTables(market), changesAtOnce);
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const part = await writePart(store, backup, { kind: 'changes', tables }, rows);
  if (count === changesAtOnce) {
    await market.commit(advanceBackup(backup, { part, changesUntil: last }));
    return true;
  }
  const finishedAt = isoTime(clock.now());
  const parts = [...(await listParts(market)), part.sha256];
  const { id, startedAt } = backup;
  await writeJson(store, manifestPath(id), { id, startedAt, finishedAt, schema, parts });
  await market.commit(advanceBackup(backup, { state: 'ending', part, finishedAt }));
  log.info('backup_finished', { backup: id, parts: parts.length, rows: backup.rowCount + rows });
  return true;
}

async function writePart(store: BackupStore, { id }: Backup, part: BackupPart, rows: number) {
  const bytes = utf8(JSON.stringify(part));
  const sha256 = await sha256Hex(bytes);
  await store.write(partPath(id, sha256), bytes);
  return { sha256, rows };
}

const writeJson = (store: BackupStore, path: string, value: unknown): Promise<void> =>
  store.write(path, utf8(JSON.stringify(value)));

/** Takes the triggers away, some at a time, and at last backups that are too old. */
async function end({ market, clock }: BackupPorts, store: BackupStore, backup: Backup): Promise<boolean> {
  const triggers = await listWatchingTriggers(market);
  if (triggers.length > 0) {
    await market.commit(dropTriggers(triggers.slice(0, SCHEMA_CHANGES_AT_ONCE)));
    return false;
  }
  const [latest, ...earlier] = await listFinishedBackups(market);
  if (latest !== undefined) await writeJson(store, LATEST_PATH, { id: latest, earlier });
  const keptSince = isoTime(clock.now() - KEPT_DAYS * DAY_MS).replaceAll(':', '-');
  const [expired] = (await store.listFolders()).filter((id) => id < keptSince);
  if (expired !== undefined) {
    await store.removeFrom(expired);
    return true;
  }
  await market.commit(advanceBackup(backup, { state: 'ended' }));
  return false;
}
