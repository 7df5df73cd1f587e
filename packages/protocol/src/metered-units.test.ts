import { expect, it } from 'vitest';
import { meteredPriceText, microsText } from './metered-units.ts';

it.each([
  [0, '$0.00'],
  [1, '$0.000001'],
  [500, '$0.0005'],
  [10_000, '$0.01'],
  [200_000, '$0.20'],
  [199_500, '$0.1995'],
  [500_000_000, '$500.00'],
])('writes %d micro-units as %s', (micros, text) => {
  expect(microsText(micros)).toBe(text);
});

it('says what a unit costs, and the most of a query', () => {
  const meter = { unit: 'thousand_tokens', unitPriceMicros: 500, maxUnits: 1000 } as const;
  expect(meteredPriceText(meter)).toBe('$0.0005 per 1,000 tokens, at most $0.50 a query');
});
