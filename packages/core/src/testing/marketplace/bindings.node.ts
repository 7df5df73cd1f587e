import { inject } from 'vitest';
import { SqliteD1 } from '../doubles/sqlite-d1.ts';
import { type Migration, type Migrations, TEST_VARIABLES, type TestBindings } from './test-bindings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** By vitest.config.ts. */
    migrations: Migrations;
  }
}

const migrations = inject('migrations');
const market = migrate(migrations.market);
const search = migrate(migrations.search);

/** Migrates once for all test files of this process: restoring a copy takes a hundredth of the time. */
function migrate(all: readonly Migration[]) {
  const database = new SqliteD1();
  database.load(all.flatMap(({ queries }) => queries));
  return { database, empty: database.copy() };
}

/** Storage as it is before a test file begins. */
export function emptyStorage(): void {
  market.database.restore(market.empty);
  search.database.restore(search.empty);
}

/** Takes a copy of both databases, which costs little; what it holds is opened when it is asked for. */
export function copyStorage(): () => D1Database[] {
  const copies = [market, search].map(({ database }) => database.copy());
  return () =>
    copies.map((copy) => {
      const database = new SqliteD1();
      database.restore(copy);
      return database.d1;
    });
}

/** A test that needs the real thing runs in workerd. */
function unbound<T extends object>(name: string): T {
  const refuse = () => {
    throw new Error(`${name} is bound in workerd only.`);
  };
  return new Proxy({} as T, { get: refuse });
}

export const testBindings: TestBindings = {
  ...TEST_VARIABLES,
  DB: market.database.d1,
  SEARCH: search.database.d1,
  JOBS: unbound('JOBS'),
  POLLING: unbound('POLLING'),
  RELAY: unbound('RELAY'),
  TEST_MIGRATIONS: migrations,
};
