import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BuyerToWeigh, weighAll, weighBuyer } from './buyer-weight.rules.ts';

describe('the weight of a buyer', () => {
  it.each([
    [0, 100],
    [1, 100],
    [115, 100],
    [116, 200],
    [900, 400],
    [9900, 700],
    [99_900, 1000],
    [1_000_000_000, 1000],
  ])('who paid %i cents elsewhere is %i thousandths', (cents, weight) => {
    expect(weighBuyer(cents)).toBe(weight);
  });

  it('never falls with what was paid, and stays within 100 and 1000', () => {
    const cents = fc.nat(10_000_000);
    fc.assert(
      fc.property(cents, cents, (one, more) => {
        expect(weighBuyer(one + more)).toBeGreaterThanOrEqual(weighBuyer(one));
        expect(weighBuyer(one)).toBeGreaterThanOrEqual(100);
        expect(weighBuyer(one)).toBeLessThanOrEqual(1000);
      }),
    );
  });
});

describe('first-time buyers of one seller and day', () => {
  const buyers = (count: number, fields: Partial<BuyerToWeigh> = {}): BuyerToWeigh[] =>
    Array.from({ length: count }, (_, n) => ({
      sellerId: 'seller',
      buyer: `buyer-${n}`,
      firstDay: '2026-06-01',
      weight: 0,
      paidElsewhereCents: 0,
      hasPaidOthers: true,
      isSameParty: false,
      hasOtherSeller: false,
      hasOtherBuyer: false,
      firstTimers: 0,
      ...fields,
    }));
  const total = (weighed: readonly { weight: number }[]) =>
    weighed.reduce((sum, { weight }) => sum + weight, 0);

  it('weigh as ten at most, those that were weighed before included', () => {
    expect(total(weighAll(buyers(30)))).toBe(1000);
    expect(total(weighAll(buyers(30, { firstTimers: 7 })))).toBe(300);
    expect(total(weighAll(buyers(30, { firstTimers: 10 })))).toBe(0);
  });

  it('have ten places for each day and each seller', () => {
    const days = [...buyers(15), ...buyers(15, { firstDay: '2026-06-02' }), ...buyers(15, { sellerId: 'b' })];
    expect(total(weighAll(days))).toBe(3000);
  });

  it('weigh nothing, and take no place, if they are of the seller’s party or paid nobody else', () => {
    for (const own of [{ isSameParty: true }, { hasPaidOthers: false }]) {
      const weighed = weighAll([...buyers(10, { ...own, paidElsewhereCents: 99_900 }), ...buyers(10)]);
      expect(weighed.map(({ weight }) => weight)).toEqual([...Array(10).fill(0), ...Array(10).fill(100)]);
    }
  });

  it('keep their place, and free it once they paid elsewhere', () => {
    expect(total(weighAll(buyers(10, { firstTimers: 10, weight: 100 })))).toBe(1000);
    expect(total(weighAll(buyers(30, { paidElsewhereCents: 900 })))).toBe(30 * 400);
  });
});
