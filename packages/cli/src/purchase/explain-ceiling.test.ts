import { MarketplaceError } from '@agent-marketplace/sdk';
import { describe, expect, it } from 'vitest';
import { explainCeiling } from './explain-ceiling.ts';

const refused = (code: 'tab_ceiling_too_low' | 'tab_spent') =>
  new MarketplaceError({ code, message: 'No.', status: 409, retryable: false, idempotencyKey: null });

const priceOf = (micros: number) => async (): Promise<number> => micros;
const failing = async (): Promise<number> => {
  throw new Error('Nobody answers.');
};

describe('a query that costs more than --max-price-micros', () => {
  it('is told in the words of the option, with what would do', async () => {
    const failure = await explainCeiling(refused('tab_ceiling_too_low'), 1, priceOf(500));
    expect(failure).toMatchObject({
      exit: 'price',
      message: expect.stringContaining('$0.0005'),
      hint: expect.stringContaining('--max-price-micros 500'),
      facts: { code: 'price_above_max', charged: false, priceMicros: 500 },
    });
  });

  it.each<[string, unknown, () => Promise<number>]>([
    ['another refusal', refused('tab_spent'), priceOf(500)],
    ['what a price does not explain', refused('tab_ceiling_too_low'), priceOf(1)],
    ['a price that nobody tells', refused('tab_ceiling_too_low'), failing],
    ['a fault', new Error('x'), priceOf(500)],
  ])('%s stays as it is', async (_, error, readPrice) => {
    expect(await explainCeiling(error, 1, readPrice)).toBe(error);
  });
});
