import { describe, expect, it } from 'vitest';
import { type SaleFacts, stepsOfSale } from './sale-steps.ts';

const DAY = '2026-03-12T09:30:00.000Z';
const PRICED: SaleFacts = {
  status: 'held',
  amountCents: 100,
  rail: 'wallet',
  createdAt: DAY,
  deliveredAt: DAY,
};

/** Each step as `label standing (when; note)`. */
const drawn = (facts: Partial<SaleFacts>) =>
  stepsOfSale({ ...PRICED, ...facts }).map(({ label, standing, at, note }) =>
    [label, standing, at, note].filter(Boolean).join(', '),
  );

describe('the steps of a sale', () => {
  it('have their dates, as far as they are known', () => {
    expect(drawn({ holdUntil: '2026-03-15T09:30:00.000Z' })).toEqual([
      `Reserved, past, ${DAY}`,
      'Asked, past',
      `Delivered, past, ${DAY}`,
      'In escrow, now, until 2026-03-15 09:30 UTC',
      'Paid out, to come',
    ]);
    expect(drawn({ rail: 'checkout', awaitsShipment: true }).slice(0, 1)).toEqual([
      'Reserved, past, ordered 2026-03-12 09:30 UTC',
    ]);
    expect(drawn({ awaitsShipment: true }).slice(2, 4)).toEqual([
      `Delivered, past, ${DAY}, the order is confirmed`,
      'In escrow, now, begins when it is shipped',
    ]);
    expect(drawn({ isDisputed: true, shippedAt: DAY }).slice(2, 4)).toEqual([
      `Delivered, past, ${DAY}, shipped 2026-03-12 09:30 UTC`,
      'In escrow, now, until the dispute is decided',
    ]);
    expect(drawn({ status: 'releasing' }).at(-1)).toBe('Paid out, now, on its way to the seller');
    expect(drawn({ status: 'released' }).at(-1)).toBe('Paid out, past');
  });

  it('promise nothing after the end of a sale, and no delivery that was not', () => {
    expect(drawn({ status: 'refunded' }).slice(2)).toEqual([
      `Delivered, past, ${DAY}`,
      'Refunded, failed, the whole price went back',
    ]);
    expect(drawn({ status: 'refunded', deliveredAt: null }).slice(1)).toEqual([
      'Asked, past',
      'Refunded, failed, the whole price went back',
    ]);
    expect(drawn({ status: 'failed', deliveredAt: null }).slice(1)).toEqual([
      'Asked, past',
      'Not delivered, failed, nothing was charged',
    ]);
    expect(drawn({ status: 'expired' })).toEqual(['Expired, failed, nothing was charged']);
  });

  it('of a free one have none of money', () => {
    expect(drawn({ status: 'released', amountCents: 0 })).toEqual(['Asked, past', `Delivered, past, ${DAY}`]);
    expect(drawn({ status: 'asking', amountCents: 0 })).toEqual([
      'Asked, now, up to 30 s',
      `Delivered, to come, ${DAY}`,
    ]);
    expect(drawn({ status: 'failed', amountCents: 0 })).toEqual(['Asked, past', 'Not delivered, failed']);
  });
});
