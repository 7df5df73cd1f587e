import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { testBindings } from '@agent-marketplace/core/testing/workers-bindings.ts';
import type { TestMarketplace } from '@agent-marketplace/core/testing/workers-harness.ts';
import { wireNames } from '@agent-marketplace/core/transport/wire-names.ts';

export interface Sent {
  /** By the operation's own field names. */
  readonly input: Record<string, unknown>;
  /** By wire name, besides: fields that the operation should not know. */
  readonly extra?: Record<string, unknown>;
  readonly apiKey?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

export const hasBody = ({ http }: AnyOperation) => http.method === 'post' || http.method === 'patch';

export function wireName(operation: AnyOperation, field: string): string {
  return wireNames(operation, operation.http.names).toWire(field);
}

/** The operation's fields that travel in its path. */
export function pathFields(operation: AnyOperation): string[] {
  const { toField } = wireNames(operation, operation.http.names);
  return [...operation.http.path.matchAll(/\{(\w+)\}/g)].map(([, wire]) => toField(wire ?? ''));
}

/** The operation's path with what it names in it. */
export function pathOf(operation: AnyOperation, input: Readonly<Record<string, unknown>>): string {
  const { http } = operation;
  const { toField } = wireNames(operation, http.names);
  return http.path.replaceAll(/\{(\w+)\}/g, (_, wire: string) =>
    encodeURIComponent(String(input[toField(wire)] ?? '')),
  );
}

/** Sends an operation's input as its REST binding says. */
export function send(market: TestMarketplace, operation: AnyOperation, sent: Sent): Promise<Response> {
  const { input, extra = {}, apiKey, headers = {}, method = operation.http.method } = sent;
  const inPath = new Set(pathFields(operation));
  const path = pathOf(operation, input);
  const rest = {
    ...Object.fromEntries(
      Object.entries(input)
        .filter(([field]) => !inPath.has(field))
        .map(([field, value]) => [wireName(operation, field), value]),
    ),
    ...extra,
  };
  const options = { headers, ...(apiKey === undefined ? {} : { apiKey }) };
  if (hasBody(operation)) return market.request(method.toUpperCase(), path, { ...options, body: rest });
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]));
  return market.request(method.toUpperCase(), query.size > 0 ? `${path}?${query}` : path, options);
}

/** Without `answers`, which counts how often a purchase was read: its seller is told. */
const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table'
  AND name <> 'answers' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`;

const DATABASES = [testBindings.DB, testBindings.SEARCH];
/** Of rows, since the connection was opened. */
const COUNT_CHANGES = 'SELECT total_changes() AS changes';

type TableText = readonly [table: string, rows: string];

const snapshots = new WeakMap<
  TestMarketplace,
  { readonly changes: string; readonly tables: readonly TableText[] }
>();

/** Everything that both databases hold, as text, but for the tables named. Where no row was written since, it is not read again. */
export async function snapshot(
  market: TestMarketplace,
  { besides = [] }: { readonly besides?: readonly string[] } = {},
): Promise<string> {
  const changes = (
    await Promise.all(DATABASES.map((db) => db.prepare(COUNT_CHANGES).first('changes')))
  ).join();
  const known = snapshots.get(market);
  const tables =
    known?.changes === changes ? known.tables : (await Promise.all(DATABASES.map(readAll))).flat();
  snapshots.set(market, { changes, tables });
  return tables
    .filter(([table]) => !besides.includes(table))
    .map((one) => one.join(' '))
    .join('\n');
}

async function readAll(db: D1Database): Promise<TableText[]> {
  const { results: tables } = await db.prepare(TABLES).all<{ name: string }>();
  const rows = await db.batch(tables.map(({ name }) => db.prepare(`SELECT * FROM "${name}"`)));
  return tables.map(({ name }, index) => [name, JSON.stringify(rows[index]?.results)]);
}
