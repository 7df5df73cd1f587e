import { describe, expect, it } from 'vitest';
import { awaitsShipment, meanOf } from './dashboard.rules.ts';

describe('an order waits to be shipped', () => {
  const order = { status: 'held', fulfilment: 'physical', shippedAt: null } as const;
  it.each([
    [order, true],
    [{ ...order, fulfilment: 'digital' as const }, false],
    [{ ...order, fulfilment: null }, false],
    [{ ...order, shippedAt: '2026-06-01T12:00:00.000Z' }, false],
    [{ ...order, status: 'refunded' }, false],
    [{ ...order, status: 'released' }, false],
  ])('%j: %s', (sale, expected) => {
    expect(awaitsShipment(sale)).toBe(expected);
  });
});

it('the mean of no ratings is 0', () => {
  expect([meanOf({ ratingCount: 0, ratingSum: 0 }), meanOf({ ratingCount: 4, ratingSum: 17 })]).toEqual([
    0, 4.25,
  ]);
});
