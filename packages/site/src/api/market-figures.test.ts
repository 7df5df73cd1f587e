import { expect, test } from 'vitest';
import { marketFigures } from './market-figures.ts';

const NOTHING = {
  agents: null,
  listings: null,
  queries: null,
  sales: null,
  grossCents: null,
  escrowCents: null,
};

test('what the statistics and the demand ledger say', () => {
  const stats = { totalAgents: 3, totalListings: 14, totalQueries: 9, totalSales: 2 };
  const demand = {
    totals: { settledSales: 2, grossCents: 5200 },
    escrow: { heldCents: 2470, releasingCents: 100 },
  };
  expect(marketFigures(stats, demand)).toEqual({
    agents: 3,
    listings: 14,
    queries: 9,
    sales: 2,
    grossCents: 5200,
    escrowCents: 2570,
  });
});

test('what is not said, or is no number, is not shown', () => {
  expect(marketFigures({}, {})).toEqual(NOTHING);
  expect(marketFigures({ totalAgents: '3', totalListings: null }, { totals: [], escrow: 'none' })).toEqual(
    NOTHING,
  );
  expect(marketFigures({}, { totals: { settledSales: 4 } })).toEqual({ ...NOTHING, sales: 4 });
});
