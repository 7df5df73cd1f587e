import { join } from 'node:path';
import { writeAssets } from '@agent-marketplace/site/build/build-assets.ts';
import { writeDocs } from '@agent-marketplace/site/build/docs/build-docs.ts';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptions } from 'wrangler';
import { type LocalAnalytics, startLocalAnalytics } from './analytics/local-analytics.ts';
import { LOCAL_METRICS_BINDING, localMetricsWorker } from './analytics/local-metrics-worker.ts';
import { type LocalCardProcessor, startCardProcessor } from './card-processor/start-card-processor.ts';
import { type ChainOfMarketplace, chainFor } from './chain/chain-for.ts';
import type { LocalChain } from './chain/local-chain.ts';
import { SECRETS, VARIABLES } from './cloudflare/settings.data.ts';
import { type LocalMail, startLocalMail } from './local-mail.ts';
import { type LocalSecrets, localSecrets } from './local-secrets.ts';
import { REPOSITORY } from './repository.ts';
import { bundleWorker, LOCAL_CLOCK_AHEAD_MS } from './workerd/bundle.ts';
import { CLOCK_WORKER, clockWorker } from './workerd/clock-worker.ts';
import { type D1Databases, databaseWorker } from './workerd/local-databases.ts';
import { copyMigratedStorage, migrateDatabases, storageIn } from './workerd/migrated-storage.ts';

export { REPOSITORY };

export const API_WORKER = 'marketplace-api';
export const JOBS_WORKER = 'marketplace-jobs';
export const INGRESS_WORKER = 'marketplace-ingress';
export const LOG_WORKER = 'marketplace-log';
export const X402_WORKER = 'marketplace-x402';
const RELAY_WORKER = 'marketplace-relay';
const UPLOADS_WORKER = 'marketplace-uploads';
/** They work without the secrets and variables of the others. */
const BARE_WORKERS: readonly string[] = [RELAY_WORKER, UPLOADS_WORKER];

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
  {
    name: INGRESS_WORKER,
    config: 'workers/ingress/wrangler.toml',
    entry: 'workers/ingress/src/index.ts',
  },
  { name: LOG_WORKER, config: 'workers/log/wrangler.toml', entry: 'workers/log/src/index.ts' },
  { name: 'marketplace-mcp', config: 'workers/mcp/wrangler.toml', entry: 'workers/mcp/src/index.ts' },
  {
    name: 'marketplace-treasury',
    config: 'workers/treasury/wrangler.toml',
    entry: 'workers/treasury/src/index.ts',
  },
  { name: X402_WORKER, config: 'workers/x402/wrangler.toml', entry: 'workers/x402/src/index.ts' },
  { name: RELAY_WORKER, config: 'workers/relay/wrangler.toml', entry: 'workers/relay/src/index.ts' },
  { name: UPLOADS_WORKER, config: 'workers/uploads/wrangler.toml', entry: 'workers/uploads/src/index.ts' },
  { name: 'marketplace-site', config: 'workers/site/wrangler.toml', entry: 'workers/site/src/index.ts' },
];

const SETTINGS = { ...SECRETS, ...VARIABLES };

export interface MarketplaceOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Where D1, Durable Objects, queues and the local secrets live. */
  readonly stateDir: string;
  /** Variables that differ from those of local development. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly verbose?: boolean;
  /** Keeps a data point of each request, which costs a call of another Worker. */
  readonly keepsMetrics?: boolean;
  /** Workers that run beside those of the marketplace: what a benchmark compares them with. */
  readonly neighbours?: readonly WorkerSource[];
  /** 0 takes a free one: `miniflare.getInspectorURL()` then tells it. Heaps and profiles of the Workers are read there. */
  readonly inspectorPort?: number;
  /** Takes what Workers log, in place of the terminal. */
  readonly onLog?: (line: { level: string; message: string }) => void;
}

export interface Marketplace {
  /** The API root, without a trailing slash. */
  readonly baseUrl: string;
  readonly miniflare: Miniflare;
  /** The stand-in for the card processor; null where keys of the real one are set. */
  readonly cards: LocalCardProcessor | null;
  /** Base on this machine; null where the environment names another chain. */
  readonly chain: LocalChain | null;
  /** Takes the mail that would go out, and shows it. */
  readonly mail: LocalMail;
  /** Runs what the clock would start every minute. */
  runScheduled(): Promise<void>;
  /** The marketplace's time. */
  now(): number;
  /** Lets time pass for the Workers, the card processor and the chain. */
  advanceClock(ms: number): Promise<void>;
  /** The Workers end and start anew, with all that was stored. */
  restartWorkers(): Promise<void>;
  close(): Promise<void>;
}

/** Room for load tests: nobody is to be protected from on one's own machine. */
const GENEROUS = { limit: 1_000_000_000, windowSeconds: 60, shared: false };
const GENEROUS_DAY = { network: 1_000_000_000, key: 1_000_000_000, keysOfNetwork: 1_000_000_000 };
const LOCAL_VARIABLES = {
  SELLER_ENDPOINTS: 'loopback',
  RATE_LIMITS: JSON.stringify({
    read: GENEROUS,
    write: GENEROUS,
    register: GENEROUS,
    purchase: GENEROUS,
    x402: GENEROUS,
    inquiry: GENEROUS,
  }),
  DAILY_LIMITS: JSON.stringify({
    write: GENEROUS_DAY,
    register: GENEROUS_DAY,
    purchase: GENEROUS_DAY,
    x402: GENEROUS_DAY,
    inquiry: GENEROUS_DAY,
    attachment: GENEROUS_DAY,
  }),
};

/** The whole marketplace on this machine: workerd with local D1, Durable Objects and queues. */
export async function startMarketplace(options: MarketplaceOptions): Promise<Marketplace> {
  const chain = await chainFor(options.stateDir);
  const close = async () => chain.local?.close();
  try {
    const marketplace = await startWorkers(options, chain);
    return { ...marketplace, close: () => marketplace.close().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startWorkers(options: MarketplaceOptions, chain: ChainOfMarketplace): Promise<Marketplace> {
  const secrets = await localSecrets(options.stateDir);
  const cards = await cardProcessorFor(secrets, options.stateDir);
  const mail = await startLocalMail();
  await copyMigratedStorage(options.stateDir);
  let aheadMs = 0;
  const analytics = options.keepsMetrics
    ? await startLocalAnalytics(join(options.stateDir, 'metrics.sqlite'), () => Date.now() + aheadMs)
    : null;
  await Promise.all([writeAssets(), writeDocs()]);
  const workers = await Promise.all(
    [...WORKERS, ...(options.neighbours ?? [])].map(async ({ name, config, entry }) => {
      const { workerOptions: fromConfig } = workerOptions(join(REPOSITORY, config));
      return {
        ...fromConfig,
        ...(analytics ? metricsOf(fromConfig) : {}),
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
        // Variables in the files are those of a deployment, its address among them.
        bindings: permitted(name, {
          ...LOCAL_VARIABLES,
          ...secrets,
          ...cards.variables,
          ...chain.variables,
          ...mail.variables,
          ...analytics?.variables,
          // No request tells the jobs where they are; a port that is not known yet cannot be told.
          ...(name === JOBS_WORKER && options.port !== 0
            ? { SITE_URL: `http://localhost:${options.port}` }
            : {}),
          ...options.variables,
        }),
      };
    }),
  );
  const { d1Databases = {} } = workers[0] as { d1Databases?: D1Databases };
  const at = (port: number) =>
    convertV4MiniflareOptions({
      workers: [
        ...workers.map((worker) => ({
          ...worker,
          // A runtime that starts anew has the time from its first request on: it must not go back and forth.
          bindings: { ...worker.bindings, [LOCAL_CLOCK_AHEAD_MS]: String(aheadMs) },
        })),
        databaseWorker(d1Databases),
        clockWorker(workers.map(({ name }) => name)),
        ...(analytics ? [localMetricsWorker(analytics.writeUrl)] : []),
      ],
      host: '127.0.0.1',
      // Otherwise Miniflare asks Cloudflare for a sample of it at every start.
      cf: false,
      port,
      ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
      unsafeHandleRuntimeRestart: () => setClocks(),
      ...(options.onLog ? { handleStructuredLogs: options.onLog } : {}),
      log: new Log(options.verbose ? LogLevel.INFO : LogLevel.WARN),
      resourcePersistencePath: storageIn(options.stateDir),
    });
  // A port that others know opens only once the marketplace behind it is whole.
  const miniflare = new Miniflare(at(0));
  const setClocks = async () => {
    const clocks = await miniflare.getWorker(CLOCK_WORKER);
    await clocks.fetch(`http://${CLOCK_WORKER}`, { method: 'POST', body: String(aheadMs) });
  };
  try {
    await prepare(miniflare);
    if (options.port !== 0) await miniflare.setOptions(at(options.port));
    return {
      ...(await present(miniflare, cards.local, mail, analytics)),
      chain: chain.local,
      now: () => Date.now() + aheadMs,
      advanceClock: async (ms) => {
        aheadMs += ms;
        cards.local?.control.advance(ms);
        await chain.local?.control.passTime(Math.ceil(ms / 1000));
        await setClocks();
      },
      restartWorkers: async () => {
        await miniflare.setOptions(at(Number((await miniflare.ready).port)));
        await setClocks();
      },
    };
  } catch (error) {
    await miniflare.dispose();
    await cards.local?.close();
    await mail.close();
    await analytics?.close();
    throw error;
  }
}

/** Miniflare's own dataset keeps nothing. */
function metricsOf(options: object) {
  const { analyticsEngineDatasets, serviceBindings } = options as Record<string, object | undefined>;
  if (analyticsEngineDatasets === undefined) return {};
  return {
    analyticsEngineDatasets: {},
    serviceBindings: { ...serviceBindings, METRICS: LOCAL_METRICS_BINDING },
  };
}

/** A Worker of the marketplace gets no secret or variable that a deployment would not give it. */
function permitted(worker: string, bindings: Readonly<Record<string, string>>): Record<string, string> {
  if (BARE_WORKERS.includes(worker)) return {};
  const isOurs = WORKERS.some(({ name }) => name === worker);
  return Object.fromEntries(
    Object.entries(bindings).filter(
      ([name]) => !isOurs || SETTINGS[name]?.workers.includes(worker) !== false,
    ),
  );
}

/** Test keys of Stripe in the environment take the place of the local stand-in, with nothing else changed. */
async function cardProcessorFor(
  secrets: LocalSecrets,
  stateDir: string,
): Promise<{ local: LocalCardProcessor | null; variables: Record<string, string> }> {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = process.env;
  if (STRIPE_SECRET_KEY && STRIPE_WEBHOOK_SECRET) {
    return { local: null, variables: { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } };
  }
  const local = await startCardProcessor({
    port: 0,
    stateDir,
    webhookUrl: null,
    secretKey: secrets.STRIPE_SECRET_KEY,
    webhookSecret: secrets.STRIPE_WEBHOOK_SECRET,
  });
  return { local, variables: { STRIPE_API_BASE: local.url } };
}

/** Brings the databases up to date and does what a deployment's first minute does. */
async function prepare(miniflare: Miniflare): Promise<void> {
  await migrateDatabases(miniflare);
  await runScheduled(miniflare);
}

async function runScheduled(miniflare: Miniflare): Promise<void> {
  for (const name of [JOBS_WORKER, LOG_WORKER]) {
    const worker = await miniflare.getWorker(name);
    await worker.scheduled({ cron: '* * * * *' });
  }
}

async function present(
  miniflare: Miniflare,
  cards: LocalCardProcessor | null,
  mail: LocalMail,
  analytics: LocalAnalytics | null,
): Promise<Omit<Marketplace, 'now' | 'advanceClock' | 'restartWorkers' | 'chain'>> {
  const url = await miniflare.ready;
  cards?.control.setWebhookUrl(`http://localhost:${url.port}/api/webhooks/card`);
  return {
    baseUrl: `http://localhost:${url.port}/api`,
    miniflare,
    cards,
    mail,
    runScheduled: () => runScheduled(miniflare),
    close: async () => {
      await miniflare.dispose();
      await cards?.close();
      await mail.close();
      await analytics?.close();
    },
  };
}
