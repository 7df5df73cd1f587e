import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptions } from 'wrangler';
import { bundleWorker } from './bundle.ts';
import { localSecrets } from './local-secrets.ts';
import { type MigratableDatabase, migrate } from './migrate.ts';

export const REPOSITORY = join(import.meta.dirname, '../../..');

export const API_WORKER = 'marketplace-api';
export const JOBS_WORKER = 'marketplace-jobs';

/** A Worker by its entry point and the configuration that says what it is bound to, from the repository's root. */
export interface WorkerSource {
  readonly name: string;
  readonly config: string;
  readonly entry: string;
}

/** The Workers of the marketplace; the first one answers on the port. */
const WORKERS: readonly WorkerSource[] = [
  { name: API_WORKER, config: 'wrangler.toml', entry: 'workers/api/src/index.ts' },
  { name: JOBS_WORKER, config: 'workers/jobs/wrangler.toml', entry: 'workers/jobs/src/index.ts' },
];

export interface MarketplaceOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Where D1, Durable Objects, queues and the local secrets live. */
  readonly stateDir: string;
  /** Variables that differ from those of local development. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly verbose?: boolean;
  /** Workers that run beside those of the marketplace: what a benchmark compares them with. */
  readonly neighbours?: readonly WorkerSource[];
  /** Takes what Workers log, in place of the terminal. */
  readonly onLog?: (line: { level: string; message: string }) => void;
}

export interface Marketplace {
  /** The API root, without a trailing slash. */
  readonly baseUrl: string;
  readonly miniflare: Miniflare;
  /** Runs what the clock would start every minute. */
  runScheduled(): Promise<void>;
  close(): Promise<void>;
}

/** Room for load tests: nobody is to be protected from on one's own machine. */
const GENEROUS = { limit: 1_000_000_000, windowSeconds: 60 };
const LOCAL_VARIABLES = {
  SELLER_ENDPOINTS: 'loopback',
  RATE_LIMITS: JSON.stringify({ read: GENEROUS, write: GENEROUS, register: GENEROUS, purchase: GENEROUS }),
};

/** The whole marketplace on this machine: workerd with local D1, Durable Objects, queues and R2. */
export async function startMarketplace(options: MarketplaceOptions): Promise<Marketplace> {
  const secrets = await localSecrets(options.stateDir);
  const workers = await Promise.all(
    [...WORKERS, ...(options.neighbours ?? [])].map(async ({ name, config, entry }) => {
      const { workerOptions: fromConfig } = workerOptions(join(REPOSITORY, config));
      return {
        ...fromConfig,
        name,
        // A socket of its own each: what Miniflare puts before its one port takes longer than most answers.
        unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
        modules: [
          {
            type: 'ESModule' as const,
            path: 'index.js',
            contents: await bundleWorker(join(REPOSITORY, entry)),
          },
        ],
        bindings: {
          ...(fromConfig.bindings as Record<string, string> | undefined),
          ...LOCAL_VARIABLES,
          ...secrets,
          ...options.variables,
        },
      };
    }),
  );
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers,
      host: '127.0.0.1',
      // Otherwise Miniflare asks Cloudflare for a sample of it at every start.
      cf: false,
      port: options.port,
      ...(options.onLog ? { handleStructuredLogs: options.onLog } : {}),
      log: new Log(options.verbose ? LogLevel.INFO : LogLevel.WARN),
      resourcePersistencePath: join(options.stateDir, 'storage'),
    }),
  );
  const url = await miniflare.ready;
  await migrate(
    (await miniflare.getD1Database('DB', API_WORKER)) as unknown as MigratableDatabase,
    join(REPOSITORY, 'migrations/market'),
  );
  await migrate(
    (await miniflare.getD1Database('SEARCH', API_WORKER)) as unknown as MigratableDatabase,
    join(REPOSITORY, 'migrations/search'),
  );
  const runScheduled = async () => {
    const jobs = await miniflare.getWorker(JOBS_WORKER);
    await jobs.scheduled({ cron: '* * * * *' });
  };
  await runScheduled();
  return {
    baseUrl: `http://localhost:${url.port}/api`,
    miniflare,
    runScheduled,
    close: () => miniflare.dispose(),
  };
}
