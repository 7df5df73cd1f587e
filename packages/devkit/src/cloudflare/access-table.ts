import { SECRETS } from './settings.data.ts';
import type { WorkerConfig } from './worker-configs.ts';

/** What there is to be had → the Workers that have it, by name. */
export type AccessTable = Readonly<Record<string, readonly string[]>>;

/** Which Worker can reach what, from the configuration files and the list of secrets. */
export function accessTable(workers: readonly WorkerConfig[]): AccessTable {
  const grants = workers.flatMap(({ name, databases, buckets, queues, services, objectsOf }) =>
    [
      ...Object.keys(SECRETS).filter((secret) => SECRETS[secret]?.workers.includes(name)),
      ...databases.map((database) => `database ${database.name}`),
      ...buckets.map((bucket) => `bucket ${bucket}`),
      ...queues.map((queue) => `queue ${queue}`),
      ...services.map((service) => `Worker ${shortName(service)}`),
      ...objectsOf.map((owner) => `objects of ${shortName(owner)}`),
    ].map((thing) => ({ thing, worker: shortName(name) })),
  );
  return Object.fromEntries(
    [...Map.groupBy(grants, ({ thing }) => thing)].map(([thing, rows]) => [
      thing,
      [...new Set(rows.map(({ worker }) => worker))].sort(),
    ]),
  );
}

/** The tables of a configuration file that give a Worker access to something, and those that give it none. */
const KNOWN_TABLES = [
  // Takes data points, and tells nothing: they are read with a token.
  'analytics_engine_datasets',
  // Files that everybody may read.
  'assets',
  'build',
  'd1_databases',
  'durable_objects.bindings',
  // Draws pictures anew, and keeps none.
  'images',
  'migrations',
  'observability',
  'observability.logs',
  'observability.traces',
  'queues.consumers',
  'queues.producers',
  'r2_buckets',
  // Counters that answer yes or no.
  'ratelimits',
  'services',
  'triggers',
  'vars',
];

/** Kinds of bindings in a configuration file that `accessTable` does not know. */
export function unknownTables(toml: string): string[] {
  const tables = [...toml.matchAll(/^\[+([\w.]+)\]+/gm)].map(([, table = '']) => table);
  const inline = [...toml.matchAll(/^(\w+)\s*=\s*[[{]/gm)].map(([, key = '']) => key);
  const harmless = ['compatibility_flags', 'crons', 'new_sqlite_classes', 'routes'];
  return [...tables, ...inline].filter((name) => !KNOWN_TABLES.includes(name) && !harmless.includes(name));
}

const shortName = (worker: string): string => worker.replace(/^marketplace-/, '');
