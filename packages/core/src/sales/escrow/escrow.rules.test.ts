import { describe, expect, it } from 'vitest';
import { isTransition, type SaleStatus } from '../sale-status.rules.ts';
import { retryAt } from '../sale-terms.rules.ts';
import { holdUntil, isUnshipped, shipBy, transferKey } from './escrow.rules.ts';

const NOON = Date.parse('2026-06-01T12:00:00.000Z');
const digital = { fulfilment: 'digital' as const, holdHours: 72 };
const physical = { fulfilment: 'physical' as const, holdHours: 72 };

describe('the time in escrow', () => {
  it('begins with the delivery, of physical orders with the shipment', () => {
    const [delivered, shipped] = ['2026-06-01T12:00:00.000Z', '2026-06-03T12:00:00.000Z'];
    expect(holdUntil(digital, delivered, null)).toBe('2026-06-04T12:00:00.000Z');
    expect(holdUntil(physical, delivered, null)).toBeNull();
    expect(holdUntil(physical, delivered, shipped)).toBe('2026-06-06T12:00:00.000Z');
  });
});

describe('the time for a shipment', () => {
  const delivered = '2026-06-01T12:00:00.000Z';

  it('begins with the delivery', () => {
    expect(shipBy({ shipDays: 14 }, delivered)).toBe('2026-06-15T12:00:00.000Z');
  });

  it('ends with the shipment, and with a decision', () => {
    const waiting = { shipment: { shippedAt: null }, payment: { holdUntil: null } };
    expect(isUnshipped(waiting)).toBe(true);
    expect(isUnshipped({ ...waiting, shipment: null })).toBe(false);
    expect(isUnshipped({ shipment: { shippedAt: delivered }, payment: { holdUntil: delivered } })).toBe(
      false,
    );
    expect(isUnshipped({ ...waiting, payment: { holdUntil: delivered } })).toBe(false);
  });
});

describe('what failed is tried again', () => {
  it('after one minute, twice as long each time, six hours at most', () => {
    const minutes = [0, 1, 2, 8, 9, 1000].map(
      (attempts) => (Date.parse(retryAt(attempts, NOON)) - NOON) / 60_000,
    );
    expect(minutes).toEqual([1, 2, 4, 256, 360, 360]);
  });

  it('under the same key until it is refused', () => {
    expect([transferKey('p', 0), transferKey('p', 1)]).toEqual([
      'purchase:p:transfer',
      'purchase:p:transfer:2',
    ]);
  });
});

describe('the ways of a purchase', () => {
  it('end where they end', () => {
    const all: SaleStatus[] = [
      'pending_payment',
      'authorized',
      'held',
      'releasing',
      'released',
      'refunded',
      'expired',
      'failed',
    ];
    for (const end of ['expired', 'failed'] as const) {
      expect(all.filter((to) => isTransition(end, to))).toEqual([]);
    }
    // The transfer was taken back at the processor.
    expect(all.filter((to) => isTransition('released', to))).toEqual(['held']);
    // A refund that failed, or what a bank gave back.
    expect(all.filter((to) => isTransition('refunded', to))).toEqual(['held']);
  });

  it('pay nobody who was not delivered to, and take nothing back from who is being paid', () => {
    expect(isTransition('pending_payment', 'held')).toBe(false);
    expect(isTransition('authorized', 'releasing')).toBe(false);
    expect(isTransition('releasing', 'refunded')).toBe(false);
  });
});
