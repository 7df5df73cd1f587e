import type { TestMarketplace } from '../../packages/core/src/testing/marketplace/workers-harness.ts';

export interface Recall {
  /** The part of the questions whose answer is among the first three rows. */
  readonly inTopThree: number;
  readonly missed: readonly string[];
}

/** Asks as the SDK, the pages and the tool do: by relevance. */
export async function measureRecall(
  market: TestMarketplace,
  questions: readonly (readonly [question: string, listingId: string])[],
): Promise<Recall> {
  const missed: string[] = [];
  for (const [question, listingId] of questions) {
    const query = new URLSearchParams({ q: question, sort: 'relevance', samples: 'include', limit: '3' });
    const response = await market.request('GET', `/marketplace/listings?${query}`);
    const { listings } = (await response.json()) as { listings: { id: string; title: string }[] };
    if (!listings.some(({ id }) => id === listingId)) {
      missed.push(`${question} → ${listings.map(({ title }) => title).join(' | ')}`);
    }
  }
  return { inTopThree: 1 - missed.length / questions.length, missed };
}
