import { join } from 'node:path';
import { TEST_VARIABLES } from '@agent-marketplace/core/testing/test-bindings.ts';
import { createTestHarness } from 'wrangler';

const { SELLER_ENDPOINTS, RATE_LIMITS, ...secrets } = TEST_VARIABLES;

/** Every Worker, as its wrangler.toml has it; the first one answers on the port. */
const WORKERS = ['wrangler.toml', 'workers/jobs/wrangler.toml'];

export interface LiveMarketplace {
  /** The API root, without a trailing slash. */
  readonly baseUrl: string;
  /** What the clock starts every minute. */
  runScheduled(): Promise<void>;
  close(): Promise<void>;
}

/** All Workers together, over HTTP, in the runtime and with the bindings that they are deployed with. */
export async function startMarketplace(): Promise<LiveMarketplace> {
  const harness = createTestHarness({
    root: join(import.meta.dirname, '../..'),
    workers: WORKERS.map((configPath) => ({ configPath, vars: { SELLER_ENDPOINTS, RATE_LIMITS }, secrets })),
  });
  const { url } = await harness.listen();
  const api = harness.getWorker();
  await api.applyD1Migrations('DB');
  await api.applyD1Migrations('SEARCH');
  const runScheduled = async () => {
    const { outcome } = await harness.getWorker('marketplace-jobs').scheduled({ cron: '* * * * *' });
    if (outcome !== 'ok') throw new Error(`The scheduled run ended with ${outcome}.`);
  };
  await runScheduled();
  return { baseUrl: `${url.origin}/api`, runScheduled, close: () => harness.close() };
}
