import { MarketplaceError } from '@agent-marketplace/sdk';

/** For optional parts of a page: null if the API refuses or does not answer. */
export async function nullIfUnavailable<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MarketplaceError) return null;
    throw error;
  }
}
