import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_readConfig as readConfig } from 'wrangler';
import { REPOSITORY } from '../repository.ts';

export interface RateBinding {
  /** Bindings of one namespace count together, in whichever Worker. */
  readonly namespace: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** As much of a Worker's configuration file as deploying in order needs. */
export interface WorkerConfig {
  readonly name: string;
  /** From the root of the repository. */
  readonly path: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly databases: readonly { readonly name: string; readonly id: string }[];
  readonly queues: readonly string[];
  readonly buckets: readonly string[];
  /** Workers that it calls. */
  readonly services: readonly string[];
  /** The counters of requests that it shares with other isolates, by the name of the binding. */
  readonly rates: Readonly<Record<string, RateBinding>>;
  /** Other Workers whose Durable Objects it calls. */
  readonly objectsOf: readonly string[];
  /** Whether Cloudflare writes down the addresses that are asked for: keys and capabilities stand in some. */
  readonly logsAddresses: boolean;
  /** The share of requests whose spans are kept; 0: none are. */
  readonly tracedShare: number;
}

/** The api Worker, which has the address, and those under workers/. */
export function readWorkerConfigs(repository: string = REPOSITORY): WorkerConfig[] {
  const others = readdirSync(join(repository, 'workers'))
    .sort()
    .map((folder) => `workers/${folder}/wrangler.toml`)
    .filter((path) => path !== 'workers/api/wrangler.toml');
  return ['wrangler.toml', ...others].map((path) => readWorkerConfig(repository, path));
}

/** As wrangler reads it, defaults filled in; of its type, which it exports as any, what is used here. */
interface ParsedConfig {
  readonly name?: string;
  readonly observability?: {
    readonly enabled?: boolean;
    readonly redact_query_string?: boolean;
    readonly logs?: { readonly invocation_logs?: boolean };
    readonly traces?: { readonly enabled?: boolean; readonly head_sampling_rate?: number };
  };
  readonly vars: Readonly<Record<string, unknown>>;
  readonly d1_databases: readonly { readonly database_name?: string; readonly database_id?: string }[];
  readonly r2_buckets: readonly { readonly bucket_name?: string }[];
  readonly ratelimits?: readonly {
    readonly name: string;
    readonly namespace_id: string;
    readonly simple: { readonly limit: number; readonly period: number };
  }[];
  readonly services?: readonly { readonly service: string }[];
  readonly durable_objects: { readonly bindings: readonly { readonly script_name?: string }[] };
  readonly queues: {
    readonly producers?: readonly { readonly queue: string }[];
    readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
  };
}

export function readWorkerConfig(repository: string, path: string): WorkerConfig {
  const config = readConfig({ config: join(repository, path) }) as ParsedConfig;
  const name = config.name ?? '';
  const { producers = [], consumers = [] } = config.queues;
  const { enabled, redact_query_string: hasNoQueries, logs, traces } = config.observability ?? {};
  return {
    name,
    path,
    vars: Object.fromEntries(Object.entries(config.vars).map(([key, value]) => [key, String(value)])),
    databases: config.d1_databases.map((one) => ({
      name: one.database_name ?? '',
      id: one.database_id ?? '',
    })),
    queues: unique([
      ...producers.map(({ queue }) => queue),
      ...consumers.flatMap(({ queue, dead_letter_queue: dead }) => (dead ? [queue, dead] : [queue])),
    ]),
    buckets: unique(config.r2_buckets.map((one) => one.bucket_name ?? '')),
    services: unique((config.services ?? []).map(({ service }) => service)),
    rates: Object.fromEntries(
      (config.ratelimits ?? []).map((one) => [
        one.name,
        { namespace: one.namespace_id, limit: one.simple.limit, windowSeconds: one.simple.period },
      ]),
    ),
    logsAddresses: enabled === true && !(hasNoQueries === true && logs?.invocation_logs === false),
    tracedShare: traces?.enabled === true ? (traces.head_sampling_rate ?? 1) : 0,
    objectsOf: unique(
      config.durable_objects.bindings.flatMap(({ script_name: owner }) =>
        owner && owner !== name ? [owner] : [],
      ),
    ),
  };
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** What all Workers together are bound to. */
export function resourcesOf(workers: readonly WorkerConfig[]) {
  return {
    databases: unique(workers.flatMap(({ databases }) => databases.map(({ name }) => name))),
    queues: unique(workers.flatMap(({ queues }) => queues)),
    buckets: unique(workers.flatMap(({ buckets }) => buckets)),
  };
}
