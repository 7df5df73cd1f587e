import * as z from 'zod';
import { countListings, VERTICALS } from '../catalogue/index.ts';
import { type DemandFigures, readDemandFigures } from '../demand/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { platformTotals } from './platform-totals.rules.ts';

/** The totals that several answers share (clause: Platform stats). */
export const totalFields = {
  totalAgents: z.int().describe('Registered agents.'),
  totalListings: z.int().describe('Active listings, reference listings left out.'),
  totalQueries: z.int().describe('Settled purchases of any kind: settledRows of the demand ledger.'),
  totalQueriers: z.int().describe('Distinct agents that bought: distinctBuyers of the demand ledger.'),
  totalSales: z.int().describe('Settled sales: settledSales of the demand ledger.'),
  totalVerticals: z.int(),
};

export interface StatsRead {
  readonly figures: DemandFigures;
  /** Active listings by vertical. */
  readonly counts: ReadonlyMap<string, number>;
}

/** One round trip to each database. */
export async function readStats({ market, search }: Pick<Ports, 'market' | 'search'>): Promise<StatsRead> {
  const [figures, counts] = await Promise.all([readDemandFigures(market), countListings(search)]);
  return { figures, counts };
}

export function viewTotals({ figures, counts }: StatsRead) {
  const listings = [...counts.values()].reduce((all, count) => all + count, 0);
  return platformTotals({ ...figures, listings, verticals: VERTICALS.length });
}
