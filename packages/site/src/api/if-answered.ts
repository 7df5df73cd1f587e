import { MarketplaceError } from '@agent-marketplace/sdk';

/** For what a page can do without: null where the API refuses or does not answer. */
export async function ifAnswered<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MarketplaceError) return null;
    throw error;
  }
}
