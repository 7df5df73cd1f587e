import { MarketplaceError, TooExpensiveError } from '@agent-marketplace/sdk';
import { describe, expect, it } from 'vitest';
import { explainPrice } from './explain-price.ts';

describe('a query that costs more than --max-price-micros', () => {
  it('is told in the words of the option, with what would do', () => {
    expect(explainPrice(new TooExpensiveError(0.05, 0.0001, 'price'), 1)).toMatchObject({
      exit: 'price',
      message: expect.stringContaining('$0.0005'),
      hint: expect.stringContaining('--max-price-micros 500'),
      facts: { code: 'price_above_max', charged: false, priceMicros: 500 },
    });
  });

  it.each<[string, unknown]>([
    [
      'another refusal',
      new MarketplaceError({
        code: 'tab_spent',
        message: 'No.',
        status: 409,
        retryable: false,
        idempotencyKey: null,
      }),
    ],
    ['a fault', new Error('x')],
  ])('%s stays as it is', (_, error) => {
    expect(explainPrice(error, 1)).toBe(error);
  });
});
