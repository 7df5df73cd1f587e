import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { enterPayoutDetails } from '@agent-marketplace/devkit/card-processor/visitor.ts';
import { type Marketplace, startMarketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { runtimeOver } from '../runtime-process.ts';
import { Random } from '../week/random.ts';
import { Buyer, type Market, type Offered } from './buyers.ts';
import { Caller } from './caller.ts';
import {
  FAILURE_KINDS,
  type FailingSeller,
  type FailureKind,
  startFailingSeller,
} from './failing-sellers.ts';
import { type Guest, Guests } from './guests.ts';
import type { Client } from './journal.ts';
import { judge } from './judge.ts';
import { type MemorySample, sampleMemory } from './memory.ts';

export interface SoakPlan {
  readonly seed: number;
  /** How long there is traffic. */
  readonly seconds: number;
  /** Buyers, guests of the door and writers at once, beside the sellers. */
  readonly agents: number;
  readonly sellers: readonly FailureKind[];
  /** How often the runtime is killed, or restarted with the time put forward, in turn. */
  readonly restartSeconds: number;
  /** However long they take on a busy machine, so many are waited for. */
  readonly leastDisturbances: number;
  /** At the end it runs on undisturbed, so that what it holds in memory is seen to level off. */
  readonly undisturbedSeconds: number;
  readonly sampleSeconds: number;
  /** What an agent waits between two requests, at most. */
  readonly thinkMs: number;
  readonly onProgress?: (line: string) => void;
}

export type SoakReport = Awaited<ReturnType<typeof soak>>;

const HOUR_MS = 3600_000;
/** Escrow takes 72 hours: some sales are paid out while there is traffic. */
const LEAP_MS = 4 * HOUR_MS;
const JOBS_EVERY_MS = 5000;
const PRICES = [100, 250, 1999, 2000];
/** On a machine that does much else. */
const UP_MS = 300_000;
/** What the marketplace bears of the costs of small sums would end the purchases of a day. */
const SUBSIDIES = JSON.stringify({
  topUps: { partyDayCents: 10 ** 9, partyMonthCents: 10 ** 9, dayCents: 10 ** 9, monthCents: 10 ** 9 },
});

/** The Workers, killed and restarted over the same storage. */
class Place {
  leaps = 0;
  kills = 0;
  restarts = 0;
  readonly market: Marketplace;
  readonly stateDir: string;
  readonly #caller: Caller;

  constructor(market: Marketplace, stateDir: string, caller: Caller) {
    this.market = market;
    this.stateDir = stateDir;
    this.#caller = caller;
  }

  /** SIGKILL: whatever it was in the middle of ends there. Miniflare starts another one. */
  async kill(): Promise<void> {
    await this.#disturb(async () => {
      const killed = runtimeOver(this.stateDir);
      process.kill(killed, 'SIGKILL');
      await this.#untilUp(() => runtimeOver(this.stateDir) !== killed);
      this.kills += 1;
    });
  }

  async leapAndRestart(): Promise<void> {
    await this.#disturb(async () => {
      await this.market.advanceClock(LEAP_MS);
      await this.market.restartWorkers();
      await this.#untilUp(() => true);
      this.restarts += 1;
    });
  }

  async #disturb(work: () => Promise<void>): Promise<void> {
    this.leaps += 1;
    await this.#caller.duringOutage(work);
    this.leaps += 1;
  }

  async #untilUp(isNew: () => boolean): Promise<void> {
    for (const start = performance.now(); performance.now() - start < UP_MS; await pause(50)) {
      try {
        const { ok } = await fetch(`${this.market.baseUrl}/health`, { signal: AbortSignal.timeout(5000) });
        if (ok && isNew()) return;
      } catch {
        // Not yet.
      }
    }
    throw new Error('The runtime did not come back.');
  }
}

/** Mixed traffic over a marketplace whose sellers fail, whose runtime ends and whose clocks leap; then everything is judged. */
export async function soak(plan: SoakPlan) {
  const { seed, seconds, onProgress = () => {} } = plan;
  const stateDir = await realpath(await mkdtemp(join(tmpdir(), 'soak-')));
  const errors: string[] = [];
  const market = await startMarketplace({
    port: 0,
    stateDir,
    inspectorPort: 0,
    variables: { SUBSIDIES },
    onLog: ({ level, message }) => void (level === 'error' && errors.push(message)),
  });
  const sellers: FailingSeller[] = [];
  try {
    const caller = new Caller(market.baseUrl);
    await caller.readKeys();
    const place = new Place(market, stateDir, caller);
    const random = new Random(seed);
    let isCalm = false;
    const clients: Client[] = [];
    const listings: Offered[] = [];
    const traffic: Market = {
      caller,
      random,
      clients,
      listings,
      counts: {},
    };

    for (const [at, kind] of plan.sellers.entries()) {
      const skewMs = (at % 2 === 0 ? 1 : -1) * 200_000;
      const seller = await startFailingSeller({
        baseUrl: market.baseUrl,
        kind,
        random,
        now: () => market.now() + skewMs,
        isCalm: () => isCalm,
      });
      sellers.push(seller);
      listings.push(...(await openShop(market, caller, kind, seller.callbackUrl)));
    }
    const guests = new Guests(caller, { now: () => market.now(), leaps: () => place.leaps });
    const agents: { buyer: Buyer; guest: Guest }[] = [];
    for (let made = 0; made < plan.agents; made += 1) {
      const client = await newClient(caller, made);
      clients.push(client);
      agents.push({ buyer: new Buyer(traffic, client), guest: await guests.newGuest(random) });
    }
    for (const { buyer } of agents) await buyer.topUp();
    await market.cards?.control.webhooks.settled();
    onProgress(`${plan.sellers.length} sellers and ${plan.agents} agents are there.`);

    const startedAt = performance.now();
    const elapsed = () => (performance.now() - startedAt) / 1000;
    let disturbances = 0;
    const isDisturbedEnough = () => disturbances >= plan.leastDisturbances;
    const isOver = () => elapsed() >= seconds && isDisturbedEnough();
    const samples: MemorySample[] = [];
    const sample = async () => {
      try {
        samples.push(await sampleMemory(market, stateDir, Math.round(elapsed())));
      } catch {
        // The runtime is just being restarted.
      }
    };
    const runJobs = async () => {
      try {
        await market.runScheduled();
      } catch (error) {
        if (place.leaps % 2 === 0 && !/disposed|poison|fetch failed|ECONN/i.test(String(error)))
          caller.note(`jobs: ${String(error).slice(0, 200)}`);
      }
    };
    const every = async (periodSeconds: number, work: () => Promise<void>, until = isOver) => {
      for (let turn = 1; ; turn += 1) {
        while (elapsed() < turn * periodSeconds && !until()) await pause(100);
        if (until()) return;
        await work();
      }
    };
    const live = async ({ buyer, guest }: (typeof agents)[number]) => {
      while (!isOver()) {
        await pause(random.next() * plan.thinkMs);
        const chance = random.next();
        if (chance < 0.3) await buyer.browse();
        else if (chance < 0.4) await buyer.buyFree();
        else if (chance < 0.58) await buyer.buy('wallet');
        else if (chance < 0.6) await buyer.buy('checkout');
        else if (chance < 0.66) await buyer.readAgain();
        else if (chance < 0.68) await buyer.rate();
        else if (chance < 0.71) await buyer.write();
        else if (chance < 0.75) await guests.readDepth();
        else await guest.comeOrStay();
      }
    };
    let printedCount = 0;
    await Promise.all([
      ...agents.map(live),
      every(JOBS_EVERY_MS / 1000, runJobs),
      every(plan.sampleSeconds, sample),
      every(
        plan.restartSeconds,
        async () => {
          await (disturbances % 2 === 0 ? place.kill() : place.leapAndRestart());
          disturbances += 1;
        },
        () => elapsed() >= seconds - plan.undisturbedSeconds && isDisturbedEnough(),
      ),
      every(60, async () => {
        const { answered, broken, wrong } = caller;
        const last = samples.at(-1);
        for (const line of wrong.slice(printedCount)) onProgress(`wrong: ${line}`);
        printedCount = wrong.length;
        onProgress(
          `${Math.round(elapsed())} s: ${answered} answers, ${broken} broken off, ${wrong.length} wrong, ${Math.round((last?.residentBytes ?? 0) / 2 ** 20)} MB`,
        );
      }),
    ]);
    const trafficSeconds = elapsed();
    await sample();
    isCalm = true;
    onProgress('The traffic has ended.');
    const verdict = await judge({
      market,
      caller,
      clients,
      delivered: sellers.flatMap(({ delivered }) => [...delivered]),
      adminSecret: JSON.parse(await readFile(join(stateDir, 'secrets.json'), 'utf8')).ADMIN_SECRET,
    });
    return {
      trafficSeconds,
      answered: caller.answered,
      broken: caller.broken,
      timedOut: caller.timedOut,
      statuses: caller.statuses,
      counts: traffic.counts,
      kills: place.kills,
      restarts: place.restarts,
      leapHours: (place.restarts * LEAP_MS) / HOUR_MS,
      samples,
      loggedErrors: errors,
      ...verdict,
      wrong: caller.wrong,
    };
  } finally {
    await market.close();
    for (const seller of sellers) await seller.close();
    await rm(stateDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Some seconds of a few agents, with one kill and one restart. */
export const QUICK: SoakPlan = {
  seed: 1,
  seconds: 12,
  agents: 20,
  sellers: FAILURE_KINDS,
  restartSeconds: 4,
  leastDisturbances: 2,
  undisturbedSeconds: 2,
  sampleSeconds: 3,
  thinkMs: 400,
};

/** So many sellers, of all kinds in turn. */
export const sellersOf = (count: number): FailureKind[] =>
  Array.from({ length: count }, (_, at) => FAILURE_KINDS[at % FAILURE_KINDS.length] ?? 'none');

async function openShop(
  market: Marketplace,
  caller: Caller,
  kind: string,
  callbackUrl: string,
): Promise<Offered[]> {
  const registered = await caller.ask('POST', '/sell/register', { body: { name: `Seller that ${kind}` } });
  const { apiKey, onboardingUrl } = registered?.body ?? {};
  await enterPayoutDetails(onboardingUrl);
  await market.cards?.control.webhooks.settled();
  await caller.ask('POST', '/sell/callback', { apiKey, body: { callbackUrl } });
  const offered: Offered[] = [];
  for (const priceCents of PRICES) {
    const body = {
      title: `An answer for ${priceCents}`,
      description: 'Computed when it is asked for.',
      preview: {},
      priceCents,
      consent: true,
    };
    const created = await caller.ask('POST', '/marketplace/listings', { apiKey, body });
    if (created?.body.listing?.status !== 'active') throw new Error(`No listing: ${created?.text}`);
    offered.push({ id: created.body.listing.id, priceCents });
  }
  return offered;
}

async function newClient(caller: Caller, number: number): Promise<Client> {
  const reply = await caller.ask('POST', '/agents/register', { body: { name: `Agent ${number}` } });
  if (reply?.status !== 201) throw new Error(`No agent: ${reply?.text}`);
  const { id, apiKey, connect } = reply.body;
  return {
    id,
    apiKey,
    handle: connect.handle,
    attempts: [],
    paidTopUps: new Set(),
    sentTexts: [],
    ratedPurchases: new Set(),
  };
}
