import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MigratableDatabase, migrate } from './migrate.ts';
import { REPOSITORY } from './repository.ts';

let folder: string;
let sqlite: DatabaseSync;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  sqlite = new DatabaseSync(':memory:');
});
afterEach(async () => {
  sqlite.close();
  await rm(folder, { recursive: true });
});

/** As D1 does it: a batch is one transaction. */
function asD1(database: DatabaseSync): MigratableDatabase {
  const statement = (sql: string, values: (string | number)[] = []) => ({
    bind: (...bound: unknown[]): unknown => statement(sql, bound as string[]),
    all: async () => ({ results: database.prepare(sql).all(...values) }),
    run: async () => database.prepare(sql).run(...values),
  });
  return {
    prepare: (sql) => statement(sql),
    async batch(statements) {
      database.exec('BEGIN');
      try {
        for (const one of statements as { run(): Promise<unknown> }[]) await one.run();
        database.exec('COMMIT');
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}
const tables = () =>
  sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => name);

it('applies what is missing, in order, once', async () => {
  await writeFile(join(folder, '0002_more.sql'), 'ALTER TABLE a ADD COLUMN y INTEGER;');
  await writeFile(join(folder, '0001_first.sql'), 'CREATE TABLE a (x INTEGER); CREATE TABLE b (x INTEGER);');
  await writeFile(join(folder, 'README.md'), 'Not SQL.');
  expect(await migrate(asD1(sqlite), folder)).toEqual(['0001_first.sql', '0002_more.sql']);
  expect(await migrate(asD1(sqlite), folder)).toEqual([]);
  await writeFile(join(folder, '0003_later.sql'), 'DROP TABLE b;');
  expect(await migrate(asD1(sqlite), folder)).toEqual(['0003_later.sql']);
  expect(tables()).toEqual(['a', 'd1_migrations']);
});

it('applies a migration whole or not at all', async () => {
  await writeFile(join(folder, '0001_first.sql'), 'CREATE TABLE a (x INTEGER); CREATE TABLE a (x INTEGER);');
  await expect(migrate(asD1(sqlite), folder)).rejects.toThrow();
  expect(tables()).toEqual(['d1_migrations']);
});

it.each(['market', 'search'])('applies those of the database %s to an empty one', async (name) => {
  const applied = await migrate(asD1(sqlite), join(REPOSITORY, 'migrations', name));
  expect(applied.length).toBeGreaterThan(0);
  expect(tables().length).toBeGreaterThan(1);
});
