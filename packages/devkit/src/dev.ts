import { resolve } from 'node:path';
import { startExampleSeller } from './example-seller.ts';
import { requireFreePort } from './free-port.ts';
import { createLifetime, whenStopped } from './lifetime.ts';
import { lockState } from './lock-state.ts';
import { startLocalWitness } from './log/witnessed-log.ts';
import { type Marketplace, startMarketplace } from './marketplace.ts';
import { explain, RefusalToStart } from './refusal-to-start.ts';
import { REPOSITORY } from './repository.ts';
import { showProblems } from './worker-log.ts';
import { migrateBeforeStart } from './workerd/migrated-storage.ts';

// `pnpm dev`: the whole marketplace, until it is stopped.

const DEFAULT_PORT = 8787;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const lifetime = createLifetime();
try {
  const port = portOf(process.env.PORT);
  const aheadMs = daysAheadOf(process.env.DAYS_AHEAD) * DAY_MS;
  const stateDir = resolve(REPOSITORY, process.env.STATE_DIR || '.state');
  await requireFreePort(port);
  lifetime.defer(lockState(stateDir));

  await migrateBeforeStart(stateDir);
  const log = await startLocalWitness(stateDir);
  lifetime.defer(log.close);
  const variables = { ...log.variables, ...variablesFor(process.env.RATE_LIMITS) };
  const marketplace = await startMarketplace({
    port,
    stateDir,
    variables,
    keepsMetrics: true,
    onLog: showProblems,
  });
  lifetime.defer(marketplace.close);
  const { baseUrl } = marketplace;
  if (!lifetime.stopping.aborted) {
    const seller = await startExampleSeller({ baseUrl, stateDir, isPaid: marketplace.chain !== null });
    lifetime.defer(seller.close);
  }
  // Once the example seller is there, which lives in the present.
  if (aheadMs > 0) {
    await marketplace.advanceClock(aheadMs);
    await marketplace.runScheduled();
  }
  // A deployment has Cloudflare's cron for this.
  const cron = setInterval(() => marketplace.runScheduled().catch(reportError), MINUTE_MS);
  lifetime.defer(() => clearInterval(cron));

  if (!lifetime.stopping.aborted) {
    console.log(
      `Ready: ${baseUrl} (pages: ${new URL(baseUrl).origin}; documentation: ${new URL(baseUrl).origin}/docs; mail: ${marketplace.mail.url};${cardsText(marketplace)}${chainText(marketplace)} witness of the log: ${log.witness.url}; state: ${stateDir}; Ctrl+C stops)`,
    );
  }
  await whenStopped(lifetime);
} catch (error) {
  reportError(error);
  process.exitCode = 1;
} finally {
  await lifetime.end();
}

/** `RATE_LIMITS=deployed`: the limits of a deployment, by the minute and by the day, in place of none. */
function variablesFor(limits: string | undefined): Record<string, string> {
  if (!limits) return {};
  if (limits !== 'deployed') throw new RefusalToStart('RATE_LIMITS is `deployed`, or not set.');
  return { RATE_LIMITS: '', DAILY_LIMITS: '' };
}

function cardsText({ cards }: Marketplace): string {
  return cards === null ? '' : ` cards: ${cards.url};`;
}

function chainText({ chain }: Marketplace): string {
  return chain === null ? '' : ` chain: ${chain.url};`;
}

function portOf(text: string | undefined): number {
  const port = text ? Number(text) : DEFAULT_PORT;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new RefusalToStart(`PORT must be a number from 0 (any free one) to 65535, not ${text}.`);
  return port;
}

/** To try what takes its time: the end of a month, of escrow or of a reserve. */
function daysAheadOf(text: string | undefined): number {
  const days = Number(text || 0);
  if (!Number.isInteger(days) || days < 0 || days > 366)
    throw new RefusalToStart(`DAYS_AHEAD must be a whole number of days up to 366, not ${text}.`);
  return days;
}

function reportError(error: unknown): void {
  console.error(explain(error));
}
