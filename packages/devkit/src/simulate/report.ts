import { CALL_MS, D1_LIMITS, LISTING_BYTES, PURCHASE, STORED_PER_BYTE } from './costs.data.ts';
import { type Layout, type Load, simulate } from './simulate.ts';

const LOAD: Load = {
  seed: 1,
  purchasesPerSecond: 10_000,
  seconds: 0.25,
  agents: 1_000_000,
  sellers: 100_000,
};
const LISTINGS = 1e8;
/** From the delivery until the release, with the jobs that follow. */
const OPEN_DAYS = 3.5;
const DAY_SECONDS = 86_400;
/** Of a database's time: above it, waits grow steeply. */
const FULL = 0.8;

const TODAY: Layout = {
  name: 'today, all reads on the primary',
  shards: 1,
  indexes: 1,
  readsNear: false,
  eventsByAgent: false,
};
const NEAR: Layout = { ...TODAY, name: 'today, public reads near the reader', readsNear: true };
const CUT_1: Layout = { ...NEAR, name: 'first cut: purchases and ledger, 64 shards', shards: 64 };
const CUT_2: Layout = { ...CUT_1, name: 'second cut: the index by vertical, 40', indexes: 40 };
const CUT_3: Layout = { ...CUT_2, name: 'third cut: events by agent', eventsByAgent: true };
const WIDER: Layout = { ...CUT_3, name: 'and 256 shards', shards: 256 };

/** What stands in docs/scale.md between its marks: made by this run alone. */
export function report(): string {
  return [loads(), hotSeller(), bytes(), listings()].join('\n\n');
}

function loads(): string {
  const rows = [TODAY, NEAR, CUT_1, CUT_2, CUT_3, WIDER].map((layout) => {
    const result = simulate(layout, LOAD);
    const sustained = (LOAD.purchasesPerSecond * FULL) / result.busiest;
    const waits =
      result.busiest < 1
        ? [`${result.p50WaitMs.toFixed(1)} ms`, `${result.p99WaitMs.toFixed(1)} ms`]
        : ['grows', 'grows'];
    return [
      layout.name,
      String(result.databases),
      `${result.busiestName}: ${result.busiest.toFixed(2)}`,
      result.mean.toFixed(2),
      ...waits,
      Math.floor(sustained).toLocaleString('en'),
      `${Math.round(result.acrossShards * 100)} %`,
    ];
  });
  return table(
    [
      'layout',
      'databases',
      'busiest',
      'mean',
      'wait, p50',
      'wait, p99',
      'purchases a second at 0.8',
      'across shards',
    ],
    rows,
  );
}

function hotSeller(): string {
  const rows = [1, 10, 100].map((rank) => {
    const share = 1 / rank / harmonic(LOAD.sellers);
    const purchases = share * LOAD.purchasesPerSecond;
    // Two of a purchase's calls are the seller's: the listing is read, the sale is recorded.
    const busy = (purchases * 2 * (CALL_MS.least + CALL_MS.most)) / 2 / 1000;
    return [String(rank), Math.round(purchases).toLocaleString('en'), busy.toFixed(2)];
  });
  return table(['seller, by rank', 'purchases a second', 'busy, of its database'], rows);
}

function bytes(): string {
  const kinds = ['money', 'events', 'global'] as const;
  const rows = kinds.map((kind) => {
    const perPurchase = (PURCHASE.bytes[kind] + PURCHASE.bytesAtRelease[kind]) * STORED_PER_BYTE;
    const perDay = perPurchase * LOAD.purchasesPerSecond * DAY_SECONDS;
    return [
      kind,
      String(perPurchase),
      `${(perDay / 1e12).toFixed(2)} TB`,
      Math.ceil((perDay * OPEN_DAYS) / D1_LIMITS.databaseBytes).toLocaleString('en'),
      Math.floor(D1_LIMITS.accountBytes / (perPurchase * DAY_SECONDS * OPEN_DAYS)).toLocaleString('en'),
    ];
  });
  return table(
    [
      'rows',
      'bytes a purchase',
      'a day',
      'databases of 10 GB for 3.5 days',
      'purchases a second that 1 TB holds for 3.5 days',
    ],
    rows,
  );
}

function listings(): string {
  const rows = (['market', 'search'] as const).map((where) => {
    const all = LISTINGS * LISTING_BYTES[where] * STORED_PER_BYTE;
    return [where, `${(all / 1e9).toFixed(0)} GB`, String(Math.ceil(all / D1_LIMITS.databaseBytes))];
  });
  return table(['100 million listings', 'stored', 'databases of 10 GB'], rows);
}

function harmonic(count: number): number {
  let sum = 0;
  for (let rank = 1; rank <= count; rank += 1) sum += 1 / rank;
  return sum;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
