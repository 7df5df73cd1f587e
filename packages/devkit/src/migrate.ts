import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unstable_splitSqlQuery as splitSql } from 'wrangler';

/** As much of a D1 binding as migrations need. */
export interface MigratableDatabase {
  prepare(sql: string): {
    bind(...values: unknown[]): unknown;
    all(): Promise<{ results: unknown[] }>;
    run(): Promise<unknown>;
  };
  batch(statements: readonly unknown[]): Promise<unknown>;
}

/** Applies the numbered migrations that a database lacks, and notes them as `wrangler d1 migrations` does. */
export async function migrate(database: MigratableDatabase, folder: string): Promise<string[]> {
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
        applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`,
    )
    .run();
  const { results } = await database.prepare('SELECT name FROM d1_migrations').all();
  const applied = new Set((results as { name: string }[]).map(({ name }) => name));
  const missing = (await readdir(folder))
    .filter((name) => name.endsWith('.sql') && !applied.has(name))
    .sort();
  for (const name of missing) {
    const statements = splitSql(await readFile(join(folder, name), 'utf8'));
    await database.batch([
      ...statements.map((sql) => database.prepare(sql)),
      database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
  return missing;
}
