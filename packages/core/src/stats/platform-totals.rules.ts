import { type Cell, type Distinct, totalsOf } from '../demand/demand.rules.ts';

/** The totals of the platform (clause: Platform stats), members in canonical order. */
export function platformTotals(figures: {
  readonly cells: readonly Cell[];
  readonly distinct: Distinct;
  readonly agents: number;
  readonly listings: number;
  readonly verticals: number;
}) {
  const { distinctBuyers, settledRows, settledSales } = totalsOf(figures.cells, figures.distinct);
  return {
    totalAgents: figures.agents,
    totalListings: figures.listings,
    totalQueriers: distinctBuyers,
    totalQueries: settledRows,
    totalSales: settledSales,
    totalVerticals: figures.verticals,
  };
}
