import { expect, test } from 'vitest';
import { type Books, bestDelivered, fewOfEach, figuresOf } from './figures.ts';

type Listing = Parameters<typeof bestDelivered>[0][number];

const books = (ledger: readonly string[], nextCursor: string | null = null) =>
  ({
    totals: { settledSales: 9, grossCents: 5200 },
    escrow: { heldCents: 2470, releasingCents: 100 },
    generatedAt: '2026-03-08T10:00:00.000Z',
    ledger: ledger.map((createdAt) => ({ createdAt })),
    nextCursor,
  }) as Books;
const listing = (id: string, measured: object | null) => ({ id, measured }) as Listing;

test('sales are counted by day, and those before the seven days are left out', () => {
  const { sales } = figuresOf(
    books([
      '2026-03-08T00:00:00.000Z',
      '2026-03-08T09:00:00.000Z',
      '2026-03-02T23:59:59.999Z',
      '2026-03-01T23:59:59.999Z',
    ]),
    [],
  );
  expect(sales?.days.map(({ value }) => value)).toEqual([1, 0, 0, 0, 0, 0, 2]);
  expect([sales?.days[0]?.day, sales?.total, sales?.isPart]).toEqual(['2026-03-02', 3, false]);
});

test('the totals are those of all recorded sales', () => {
  expect(figuresOf(books([]), []).totals).toEqual({ sales: 9, grossCents: 5200, escrowCents: 2570 });
});

test('a week that was not read to its beginning is said to be a part', () => {
  const rows = ['2026-03-08T09:00:00.000Z'];
  expect(figuresOf(books(rows, 'next'), []).sales?.isPart).toBe(true);
  expect(figuresOf(books([...rows, '2026-02-01T00:00:00.000Z'], 'next'), []).sales?.isPart).toBe(false);
});

test('what is measured counts as often as it was asked for', () => {
  const often = listing('often', { successRate: 0.9, p50Ms: 100, p95Ms: 200, samples: 30 });
  const seldom = listing('seldom', { successRate: 0.5, p50Ms: 500, p95Ms: 1000, samples: 10 });
  const unknown = listing('unknown', { successRate: 0.9, p50Ms: null, p95Ms: null, samples: 7 });
  expect(figuresOf(null, [often, seldom, unknown, listing('new', null)])).toEqual({
    sales: null,
    totals: null,
    deliveries: { successRate: 0.8, p50Ms: 200, p95Ms: 400, attempts: 40 },
  });
  expect(figuresOf(null, [listing('new', null)]).deliveries).toBeNull();
  expect(bestDelivered([listing('new', null), seldom, unknown, often]).map(({ id }) => id)).toEqual([
    'often',
    'unknown',
    'seldom',
  ]);
});

test('nobody fills a list alone', () => {
  const of = (sellerId: string, ...ids: readonly string[]) => ids.map((id) => ({ id, sellerId }) as Listing);
  const newest = [
    ...of('loud', 'a', 'b', 'c', 'd'),
    ...of('calm', 'e'),
    ...of('loud', 'f'),
    ...of('late', 'g', 'h'),
  ];
  expect(fewOfEach(newest, 4).map(({ id }) => id)).toEqual(['a', 'b', 'e', 'g']);
  expect(fewOfEach(newest, 9).map(({ id }) => id)).toEqual(['a', 'b', 'e', 'g', 'h']);
});
