import { describe, expect, test } from 'vitest';
import { type PurchaseState, stateOf } from './states.ts';

const of = (fields: Partial<PurchaseState>) =>
  stateOf({
    status: 'held',
    amountCents: 1200,
    dispute: null,
    chargeback: null,
    awaitsShipment: false,
    ...fields,
  });

describe('how often a purchase is looked at', () => {
  test.each(['released', 'refunded', 'expired', 'failed'] as const)('%s: never again', (status) => {
    expect(of({ status }).pollSeconds).toBeNull();
  });

  test('what takes days, more rarely than what is about to move', () => {
    const seconds = (fields: Partial<PurchaseState>) => of(fields).pollSeconds ?? 0;
    const slow = [seconds({}), seconds({ status: 'authorized' }), seconds({ dispute: { status: 'open' } })];
    const quick = [seconds({ status: 'releasing' }), seconds({ dispute: { status: 'refunded' } })];
    expect(Math.min(...slow)).toBeGreaterThan(Math.max(...quick));
    expect(Math.min(...quick)).toBeGreaterThan(seconds({ status: 'pending_payment' }));
    expect(seconds({ status: 'pending_payment' })).toBeGreaterThan(0);
  });
});

describe('a dispute', () => {
  test('is told apart, open and decided, before the money has moved and after', () => {
    const all = [
      of({}),
      of({ dispute: { status: 'open' } }),
      of({ dispute: { status: 'refunded' } }),
      of({ dispute: { status: 'released' } }),
      of({ status: 'refunded' }),
      of({ status: 'refunded', dispute: { status: 'refunded' } }),
      of({ status: 'released' }),
      of({ status: 'released', dispute: { status: 'released' } }),
    ];
    expect(new Set(all.map(({ meaning }) => meaning)).size).toBe(all.length);
  });

  test('decided for the buyer, does not say that the money is back before it is', () => {
    expect(of({ dispute: { status: 'refunded' } }).meaning).toContain('on its way back');
    expect(of({ status: 'refunded', dispute: { status: 'refunded' } }).meaning).toContain('went back');
  });
});

test('a payment that is disputed at a bank is not said to be on its way to the seller', () => {
  expect(of({ chargeback: { status: 'open' } }).meaning).toContain('the bank decides');
  expect(of({ chargeback: { status: 'won' } })).toEqual(of({}));
  expect(of({ status: 'refunded', chargeback: { status: 'lost' } }).meaning).toContain('bank');
});

test('an order that has not left is not said to be delivered', () => {
  expect(of({ awaitsShipment: true }).title).not.toContain('Delivered');
});
