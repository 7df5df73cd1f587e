import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { nullIfUnavailable } from './null-if-unavailable.ts';

/** The marketplace's public figures; null: not available now. */
export interface MarketFigures {
  readonly agents: number | null;
  readonly listings: number | null;
  readonly queries: number | null;
  readonly sales: number | null;
  readonly grossCents: number | null;
  readonly escrowCents: number | null;
}

/** Reads the platform's statistics and the demand ledger, which are the same for everyone. */
export async function readMarketFigures(api: MarketplaceClient): Promise<MarketFigures> {
  const [stats, demand] = await Promise.all([
    nullIfUnavailable(api.request('GET', '/stats')),
    nullIfUnavailable(api.request('GET', '/proof/demand', { query: { limit: 1 } })),
  ]);
  return marketFigures(stats ?? {}, demand ?? {});
}

export function marketFigures(stats: object, demand: object): MarketFigures {
  const totals = part(demand, 'totals');
  const escrow = part(demand, 'escrow');
  const [held, releasing] = [amount(escrow, 'heldCents'), amount(escrow, 'releasingCents')];
  return {
    agents: amount(stats, 'totalAgents'),
    listings: amount(stats, 'totalListings'),
    queries: amount(stats, 'totalQueries'),
    sales: amount(stats, 'totalSales') ?? amount(totals, 'settledSales'),
    grossCents: amount(totals, 'grossCents'),
    escrowCents: held === null && releasing === null ? null : (held ?? 0) + (releasing ?? 0),
  };
}

function part(of: object, name: string): JsonObject {
  const value = (of as JsonObject)[name];
  return isJsonObject(value) ? value : {};
}

function amount(of: object, name: string): number | null {
  const value = (of as JsonObject)[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
