import { type Cell, type Distinct, totalsOf } from '../demand/demand.rules.ts';

/** The totals of the platform (clause: Platform stats), members in canonical order. */
export function platformTotals(counted: {
  readonly cells: readonly Cell[];
  readonly distinct: Distinct;
  readonly agents: number;
  readonly listings: number;
  readonly verticals: number;
}) {
  const { distinctBuyers, settledRows, settledSales } = totalsOf(counted.cells, counted.distinct);
  return {
    totalAgents: counted.agents,
    totalListings: counted.listings,
    totalQueriers: distinctBuyers,
    totalQueries: settledRows,
    totalSales: settledSales,
    totalVerticals: counted.verticals,
  };
}
