import { describe, expect, it } from 'vitest';
import { changedPrice, priceFault, priceMicrosOf, textOfMeter, usedMicrosOf } from './price.rules.ts';

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
    const price = changedPrice({ priceCents: 700, priceMicros: null, meter: null }, { priceMicros });
    expect(price).toEqual({ priceCents, priceMicros, meter: null });
    expect(priceFault(price, STANDARD)).toBeNull();
    expect(priceFault({ ...price, priceCents: priceCents + 1 }, STANDARD)?.path).toBe('priceCents');
    expect(priceFault({ ...price, priceCents: priceCents - 1 }, STANDARD)?.path).toBe('priceCents');
    expect(priceMicrosOf(price)).toBe(priceMicros);
  });

  it('gives way to a price in cents, and to none', () => {
    const price = { priceCents: 1, priceMicros: 500, meter: null };
    expect(changedPrice(price, {})).toEqual(price);
    expect(changedPrice(price, { priceCents: 1 })).toEqual({ priceCents: 1, priceMicros: null, meter: null });
    expect(changedPrice(price, { priceMicros: null })).toEqual({
      priceCents: 1,
      priceMicros: null,
      meter: null,
    });
    expect(priceMicrosOf({ priceCents: 3, priceMicros: null })).toBe(30_000);
  });

  it('is none of what is shipped or scarce', () => {
    const price = { priceCents: 1, priceMicros: 500, meter: null };
    expect(priceFault(price, { ...STANDARD, fulfilment: 'physical' })?.path).toBe('priceMicros');
    expect(priceFault(price, { ...STANDARD, listingType: 'limited' })?.path).toBe('priceMicros');
    const whole = { priceCents: 1, priceMicros: null, meter: null };
    expect(priceFault(whole, { ...STANDARD, listingType: 'limited' })).toBeNull();
  });
});

describe('a price by units', () => {
  const meter = { unit: 'thousand_tokens', unitPriceMicros: 500, maxUnits: 100 } as const;
  const metered = { priceCents: 5, priceMicros: 50_000, meter };

  it('is for listing what the most units cost, and gives way to any other price', () => {
    const one = { priceCents: 7, priceMicros: null, meter: null };
    expect(changedPrice(one, { meter })).toEqual(metered);
    expect(priceFault(metered, STANDARD)).toBeNull();
    expect(priceFault({ ...metered, priceMicros: 49_999 }, STANDARD)?.path).toBe('priceMicros');
    expect(priceFault({ ...metered, priceCents: 6 }, STANDARD)?.path).toBe('priceCents');
    expect(priceFault(metered, { ...STANDARD, listingType: 'exclusive' })?.path).toBe('priceMicros');
    expect(changedPrice(metered, {})).toEqual(metered);
    expect(changedPrice(metered, { meter: null })).toEqual({ ...metered, meter: null });
    expect(changedPrice(metered, { priceCents: 7 })).toEqual(one);
    expect(changedPrice(metered, { priceMicros: 500 })).toEqual({
      priceCents: 1,
      priceMicros: 500,
      meter: null,
    });
    expect(textOfMeter(meter)).toBe('500 per thousand_tokens, at most 100');
  });

  it.each([
    [1, 500],
    [100, 50_000],
    [101, null],
    [0, null],
    [-1, null],
    [1.5, null],
    [null, null],
    [undefined, null],
    [Number.NaN, null],
  ])('%s units cost %s micro-units', (units, micros) => {
    expect(usedMicrosOf(meter, units)).toBe(micros);
  });
});
