import type { Operations } from '@agent-marketplace/sdk';

export type Books = Operations['getDemandLedger']['output'];
type Listing = Operations['browseListings']['output']['listings'][number];

const DAYS = 7;
const DAY_MS = 86_400_000;

/** The numbers of the start page; null: not known. */
export interface HomeFigures {
  readonly sales: {
    /** Seven days, the last one today. */
    readonly days: readonly { readonly day: string; readonly value: number }[];
    readonly total: number;
    /** More sales were recorded than were read. */
    readonly isPart: boolean;
  } | null;
  /** Of all recorded sales. */
  readonly totals: {
    readonly sales: number;
    readonly grossCents: number;
    readonly escrowCents: number;
  } | null;
  /** Of measured listings, weighted by how often each was asked for; null: none was measured. */
  readonly deliveries: {
    readonly successRate: number;
    readonly p50Ms: number;
    readonly p95Ms: number;
    readonly attempts: number;
  } | null;
}

export function figuresOf(books: Books | null, listings: readonly Listing[]): HomeFigures {
  return {
    sales: books && salesOf(books),
    totals: books && {
      sales: books.totals.settledSales,
      grossCents: books.totals.grossCents,
      escrowCents: books.escrow.heldCents + books.escrow.releasingCents,
    },
    deliveries: deliveriesOf(listings),
  };
}

function salesOf({ generatedAt, ledger, nextCursor }: Books): HomeFigures['sales'] {
  const end = Date.parse(generatedAt);
  const names = Array.from({ length: DAYS }, (_, index) =>
    new Date(end - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const counts = new Map(names.map((day) => [day, 0]));
  let before = 0;
  for (const { createdAt } of ledger) {
    const day = createdAt.slice(0, 10);
    const count = counts.get(day);
    if (count === undefined) before += 1;
    else counts.set(day, count + 1);
  }
  const days = [...counts].map(([day, value]) => ({ day, value }));
  const total = days.reduce((sum, { value }) => sum + value, 0);
  return { days, total, isPart: nextCursor !== null && before === 0 };
}

function deliveriesOf(listings: readonly Listing[]): HomeFigures['deliveries'] {
  const measured = listings.flatMap(({ measured }) =>
    measured?.successRate == null || measured.p50Ms === null || measured.p95Ms === null
      ? []
      : [{ ...measured, successRate: measured.successRate, p50Ms: measured.p50Ms, p95Ms: measured.p95Ms }],
  );
  const attempts = measured.reduce((sum, { samples }) => sum + samples, 0);
  if (attempts === 0) return null;
  const mean = (of: (one: (typeof measured)[number]) => number) =>
    measured.reduce((sum, one) => sum + of(one) * one.samples, 0) / attempts;
  return {
    successRate: mean(({ successRate }) => successRate),
    p50Ms: mean(({ p50Ms }) => p50Ms),
    p95Ms: mean(({ p95Ms }) => p95Ms),
    attempts,
  };
}

/** Measured listings, those that succeed most often first, and of these the fastest. */
export function bestDelivered(listings: readonly Listing[]): Listing[] {
  const rate = ({ measured }: Listing) => measured?.successRate ?? 0;
  const latency = ({ measured }: Listing) => measured?.p50Ms ?? Number.MAX_SAFE_INTEGER;
  return listings.filter((one) => rate(one) > 0).sort((a, b) => rate(b) - rate(a) || latency(a) - latency(b));
}

/** So many of one seller at most, so that nobody fills the list alone. */
const OF_ONE_SELLER = 2;

/** The first ones of a list, few of each seller. */
export function fewOfEach(listings: readonly Listing[], rows: number): Listing[] {
  const shown = new Map<string, number>();
  return listings
    .filter(({ sellerId }) => {
      const before = shown.get(sellerId) ?? 0;
      shown.set(sellerId, before + 1);
      return before < OF_ONE_SELLER;
    })
    .slice(0, rows);
}

/** Those that were sold most often, the newer first of equals, where that is not the list of the newest ones again. */
export function mostBought(popular: readonly Listing[], newest: readonly Listing[], rows: number): Listing[] {
  const sold = popular
    .filter(({ soldCount }) => soldCount > 0)
    .toSorted((a, b) => b.soldCount - a.soldCount || b.createdAt.localeCompare(a.createdAt))
    .slice(0, rows);
  const isRepetition = sold.every(({ id }, index) => id === newest[index]?.id);
  return isRepetition ? [] : sold;
}
