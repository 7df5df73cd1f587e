import { shardOf } from '@agent-marketplace/core/kernel/bucket.ts';
import { CALL_MS, PURCHASE, READS, REPLICAS } from './costs.data.ts';
import { EventQueue, type Scheduled } from './event-queue.ts';

/** How the data lie. */
export interface Layout {
  readonly name: string;
  /** Databases that share purchases, ledger and listings, by the bucket of an id. */
  readonly shards: number;
  /** Databases that share the search index. */
  readonly indexes: number;
  /** The index and details are read from replicas, and no more from the primary. */
  readonly readsNear: boolean;
  /** Events are in an object of each agent: the last of a purchase's calls is no call of the database. */
  readonly eventsByAgent: boolean;
}

export interface Load {
  readonly seed: number;
  readonly purchasesPerSecond: number;
  readonly seconds: number;
  readonly agents: number;
  /** Purchases fall on sellers as 1/rank. */
  readonly sellers: number;
}

export interface Result {
  readonly databases: number;
  /** Of the busiest database: work in a second of its time; it answers one call at a time, so over 1 it falls behind. */
  readonly busiest: number;
  readonly busiestName: string;
  /** Of all databases and replicas. */
  readonly mean: number;
  /** What the calls of a purchase waited together. */
  readonly p50WaitMs: number;
  readonly p99WaitMs: number;
  readonly acrossShards: number;
}

interface Visit extends Scheduled {
  readonly route: readonly string[];
  readonly step: number;
  readonly waitedMs: number;
  readonly isPurchase: boolean;
}

/** Agents buy while every database answers one call after another. Nothing is random but by the seed. */
export function simulate(layout: Layout, load: Load): Result {
  const random = randomFrom(load.seed);
  const sellerAt = zipf(load.sellers);
  const events = new EventQueue<Visit>();
  const endMs = load.seconds * 1000;
  let acrossShards = 0;
  let purchases = 0;
  for (let atMs = 0; ; ) {
    atMs += (-Math.log(1 - random()) * 1000) / load.purchasesPerSecond;
    if (atMs > endMs) break;
    const seller = `market ${shardOf(idOf(sellerAt(random())), layout.shards)}`;
    const buyer = `market ${shardOf(idOf(load.sellers + Math.floor(random() * load.agents)), layout.shards)}`;
    const index = `search ${Math.floor(random() * layout.indexes)}`;
    const begin = (route: readonly string[], isPurchase: boolean) =>
      events.add({ atMs, route, step: 0, waitedMs: 0, isPurchase });
    purchases += 1;
    if (seller !== buyer) acrossShards += 1;
    begin(routeOf(layout, seller, buyer), true);
    const copyOf = (database: string) =>
      layout.readsNear ? `${database}, replica ${Math.floor(random() * REPLICAS)}` : database;
    for (let n = 0; n < READS.browses; n += 1) begin([copyOf(index)], false);
    for (let n = 0; n < READS.details; n += 1) begin([copyOf(seller)], false);
  }
  return { ...runAll(events, random, endMs, layout), acrossShards: acrossShards / purchases };
}

/** The listing is the seller's, the money is the buyer's: reserve, record, capture. */
function routeOf({ eventsByAgent }: Layout, seller: string, buyer: string): readonly string[] {
  const route = [seller, buyer, seller, buyer];
  return eventsByAgent ? route.slice(0, PURCHASE.calls - 1) : route;
}

function runAll(events: EventQueue<Visit>, random: () => number, endMs: number, layout: Layout) {
  const freeAt = new Map<string, number>();
  const workMs = new Map<string, number>();
  const waits: number[] = [];
  for (let visit = events.next(); visit !== null; visit = events.next()) {
    const { route, step, atMs, isPurchase } = visit;
    const database = route[step];
    if (database === undefined) {
      if (isPurchase) waits.push(visit.waitedMs);
      continue;
    }
    const beginsAt = Math.max(atMs, freeAt.get(database) ?? 0);
    const takesMs = CALL_MS.least + random() * (CALL_MS.most - CALL_MS.least);
    freeAt.set(database, beginsAt + takesMs);
    workMs.set(database, (workMs.get(database) ?? 0) + takesMs);
    const waitedMs = visit.waitedMs + beginsAt - atMs;
    events.add({ ...visit, atMs: beginsAt + takesMs, step: step + 1, waitedMs });
  }
  waits.sort((a, b) => a - b);
  const [busiest = ['', 0]] = [...workMs].sort(([, a], [, b]) => b - a);
  const total = [...workMs.values()].reduce((sum, ms) => sum + ms, 0);
  return {
    databases: layout.shards + layout.indexes,
    busiest: busiest[1] / endMs,
    busiestName: busiest[0],
    mean: total / endMs / workMs.size,
    p50WaitMs: waits[Math.floor(waits.length / 2)] ?? 0,
    p99WaitMs: waits[Math.floor(waits.length * 0.99)] ?? 0,
  };
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The first digits of an agent's id: the same for the same agent, and even over all. */
function idOf(agent: number): string {
  const mixed = Math.imul(agent + 1, 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) >>> 0).toString(16).padStart(8, '0');
}

/** The rank, from 0, whose share of the weights 1/rank the number falls in. */
function zipf(count: number): (share: number) => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return (share) => {
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < share * sum) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
