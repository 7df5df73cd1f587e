import { type MarketplaceClient, MarketplaceError, type Operations } from '@agent-marketplace/sdk';

export type Dashboard = Operations['getSellerDashboard']['output'];

/** The dashboard of a seller; null for an agent that has sold nothing yet. */
export async function readDashboard(api: MarketplaceClient): Promise<Dashboard | null> {
  try {
    return await api.getSellerDashboard();
  } catch (error) {
    if (error instanceof MarketplaceError && error.code === 'not_a_seller') return null;
    throw error;
  }
}
