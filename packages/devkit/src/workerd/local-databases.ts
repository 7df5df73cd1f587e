import type { Miniflare } from 'miniflare';

const NAME = 'local-databases';

const SCRIPT = `export default {
  async fetch(request, env) {
    const database = env[new URL(request.url).pathname.slice(1)];
    const statements = await request.json();
    const prepared = statements.map(({ sql, values }) => database.prepare(sql).bind(...values));
    try {
      return Response.json({ results: await database.batch(prepared) });
    } catch (error) {
      return Response.json({ error: error.message });
    }
  },
};`;

/** Binding → database, as Miniflare takes them. */
export type D1Databases = Record<string, string | { id: string }>;

/** A Worker that runs batches on the databases of others: Miniflare's own handles block on each statement. */
export function databaseWorker(d1Databases: D1Databases) {
  return {
    name: NAME,
    compatibilityDate: '2026-11-01',
    modules: [{ type: 'ESModule' as const, path: 'index.js', contents: SCRIPT }],
    d1Databases,
  };
}

export interface LocalDatabase {
  prepare(sql: string): LocalStatement;
  batch(statements: readonly LocalStatement[]): Promise<{ results: Row[] }[]>;
}

type Row = Record<string, unknown>;

/** Needs the Worker above in the runtime. */
export async function localDatabase(miniflare: Miniflare, binding: string): Promise<LocalDatabase> {
  const worker = await miniflare.getWorker(NAME);
  const batch = async (statements: readonly LocalStatement[]) => {
    const response = await worker.fetch(`http://${NAME}/${binding}`, {
      method: 'POST',
      body: JSON.stringify(statements),
    });
    const { results, error } = (await response.json()) as { results: { results: Row[] }[]; error?: string };
    if (error !== undefined) throw new Error(error);
    return results;
  };
  return { prepare: (sql) => new LocalStatement(batch, sql), batch };
}

class LocalStatement {
  readonly #batch: LocalDatabase['batch'];
  readonly sql: string;
  readonly values: readonly unknown[];

  constructor(batch: LocalDatabase['batch'], sql: string, values: readonly unknown[] = []) {
    this.#batch = batch;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: readonly unknown[]): LocalStatement {
    return new LocalStatement(this.#batch, this.sql, values);
  }

  async all(): Promise<{ results: Row[] }> {
    const [result] = await this.#batch([this]);
    return result ?? { results: [] };
  }

  run = () => this.all();
}
