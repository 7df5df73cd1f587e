import {
  type MarketplaceClient,
  MarketplaceError,
  type Operations,
  type SignedAnswer,
} from '@agent-marketplace/sdk';

export type Dashboard = Operations['getSellerDashboard']['output'];

/** The dashboard of a seller; null for an agent that has sold nothing yet. */
export async function readDashboard(
  api: MarketplaceClient,
  page: Operations['getSellerDashboard']['input'] = {},
): Promise<SignedAnswer<Dashboard> | null> {
  try {
    return await api.getSellerDashboard(page);
  } catch (error) {
    if (error instanceof MarketplaceError && error.code === 'not_a_seller') return null;
    throw error;
  }
}
