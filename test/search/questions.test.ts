import { expect, it } from 'vitest';
import { PLATFORM_LISTINGS, publishPlatformListings } from '../../packages/core/src/platform/index.ts';
import { createTestMarketplace } from '../../packages/core/src/testing/marketplace/workers-harness.ts';
import { QUESTIONS } from './questions.data.ts';
import { measureRecall } from './recall.ts';

it('finds the listing that answers a question among the first three', async () => {
  const market = createTestMarketplace();
  await publishPlatformListings(market.newPorts());
  const ids = new Map(PLATFORM_LISTINGS.map(({ slug, id }) => [slug, id]));
  const questions = Object.entries(QUESTIONS).flatMap(([slug, wordings]) =>
    wordings.map((question) => [question, ids.get(slug) ?? slug] as const),
  );
  expect(Object.keys(QUESTIONS).toSorted()).toEqual([...ids.keys()].toSorted());
  expect(questions.length).toBeGreaterThanOrEqual(100);
  const { inTopThree, missed } = await measureRecall(market, questions);
  expect(inTopThree, missed.join('\n')).toBeGreaterThanOrEqual(0.9);
}, 120_000);
