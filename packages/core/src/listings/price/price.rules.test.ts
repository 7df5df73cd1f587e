import { describe, expect, it } from 'vitest';
import { changedPrice, priceFault, priceMicrosOf } from './price.rules.ts';

const STANDARD = { fulfilment: 'digital', listingType: 'standard' };

describe('a price to the micro-unit', () => {
  it.each([
    [100, 1],
    [500, 1],
    [9_999, 1],
    [10_000, 1],
    [10_001, 2],
    [15_000, 2],
  ])('%d micro-units are %d cents elsewhere', (priceMicros, priceCents) => {
    const price = changedPrice({ priceCents: 700, priceMicros: null }, { priceMicros });
    expect(price).toEqual({ priceCents, priceMicros });
    expect(priceFault(price, STANDARD)).toBeNull();
    expect(priceFault({ ...price, priceCents: priceCents + 1 }, STANDARD)?.path).toBe('priceCents');
    expect(priceFault({ ...price, priceCents: priceCents - 1 }, STANDARD)?.path).toBe('priceCents');
    expect(priceMicrosOf(price)).toBe(priceMicros);
  });

  it('gives way to a price in cents, and to none', () => {
    const price = { priceCents: 1, priceMicros: 500 };
    expect(changedPrice(price, {})).toEqual(price);
    expect(changedPrice(price, { priceCents: 1 })).toEqual({ priceCents: 1, priceMicros: null });
    expect(changedPrice(price, { priceMicros: null })).toEqual({ priceCents: 1, priceMicros: null });
    expect(priceMicrosOf({ priceCents: 3, priceMicros: null })).toBe(30_000);
  });

  it('is none of what is shipped or scarce', () => {
    const price = { priceCents: 1, priceMicros: 500 };
    expect(priceFault(price, { ...STANDARD, fulfilment: 'physical' })?.path).toBe('priceMicros');
    expect(priceFault(price, { ...STANDARD, listingType: 'limited' })?.path).toBe('priceMicros');
    const whole = { priceCents: 1, priceMicros: null };
    expect(priceFault(whole, { ...STANDARD, listingType: 'limited' })).toBeNull();
  });
});
