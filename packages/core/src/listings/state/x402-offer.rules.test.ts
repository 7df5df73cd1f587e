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
  (verticalSlug, priceCents, min, obstacle) => {
    expect(x402Obstacle({ verticalSlug, priceCents }, min)).toBe(obstacle);
  },
);
