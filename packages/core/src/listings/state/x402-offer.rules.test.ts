import { expect, it } from 'vitest';
import { PERSONAL_HEALTH_VERTICAL_SLUG } from '../../catalogue/index.ts';
import { x402Obstacle } from './x402-offer.rules.ts';

it.each([
  ['market-data', 0, null, null],
  ['market-data', 0, 25, null],
  ['market-data', 24, 25, 'price_too_small'],
  ['market-data', 25, 25, null],
  ['market-data', 25, null, 'no_chain'],
  [PERSONAL_HEALTH_VERTICAL_SLUG, 500, 1, 'personal_health'],
])(
  'a listing of %s at %d cents, where the smallest price is %j: %j',
  (verticalSlug, priceCents, minCents, obstacle) => {
    const offer = minCents === null ? null : { minCents, closedBy: null };
    expect(x402Obstacle({ verticalSlug, priceCents, meter: null }, offer)).toBe(obstacle);
  },
);

it('what is free stays open where the rail is closed, and what lasts is named first', () => {
  const closed = { minCents: 25, closedBy: 'out_of_gas' };
  const obstacleOf = (priceCents: number) =>
    x402Obstacle({ verticalSlug: 'market-data', priceCents, meter: null }, closed);
  expect([0, 24, 25].map(obstacleOf)).toEqual([null, 'price_too_small', 'closed']);
  const metered = { verticalSlug: 'market-data', priceCents: 25, meter: {} };
  expect(x402Obstacle(metered, closed)).toBe('metered');
});
