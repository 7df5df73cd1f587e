import { describe, expect, test } from 'vitest';
import { type PurchaseState, stateOf } from './states.ts';

const dispute = (status: 'open' | 'refunded' | 'released', decidedBy: 'operator' | 'rule' | null = null) => ({
  status,
  decidedBy,
});

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
    const slow = [seconds({}), seconds({ status: 'authorized' }), seconds({ dispute: dispute('open') })];
    const quick = [seconds({ status: 'releasing' }), seconds({ dispute: dispute('refunded') })];
    expect(Math.min(...slow)).toBeGreaterThan(Math.max(...quick));
    expect(Math.min(...quick)).toBeGreaterThan(seconds({ status: 'pending_payment' }));
    expect(seconds({ status: 'pending_payment' })).toBeGreaterThan(0);
  });
});

describe('a dispute', () => {
  test('is told apart, open and decided, before the money has moved and after', () => {
    const all = [
      of({}),
      of({ dispute: dispute('open') }),
      of({ dispute: dispute('refunded') }),
      of({ dispute: dispute('released') }),
      of({ status: 'refunded' }),
      of({ status: 'refunded', dispute: dispute('refunded') }),
      of({ status: 'released' }),
      of({ status: 'released', dispute: dispute('released') }),
    ];
    expect(new Set(all.map(({ meaning }) => meaning)).size).toBe(all.length);
  });

  test('decided for the buyer, does not say that the money is back before it is', () => {
    expect(of({ dispute: dispute('refunded') }).meaning).toContain('on its way back');
    expect(of({ status: 'refunded', dispute: dispute('refunded') }).meaning).toContain('went back');
  });
});

test.each(['refunded', 'released'] as const)('a dispute says who decided it: %s', (status) => {
  for (const sale of [{ status: 'held' }, { status }] as const) {
    const meaningOf = (by: 'operator' | 'rule' | null) =>
      of({ ...sale, dispute: dispute(status, by) }).meaning;
    expect(meaningOf('operator')).toMatch(/^The operator decided for /);
    expect(meaningOf('rule')).toMatch(/^The operator did not decide in time, so the rule did, for /);
    expect(meaningOf(null)).not.toMatch(/operator|rule/);
  }
});

test('a payment that is disputed at a bank is not said to be on its way to the seller', () => {
  expect(of({ chargeback: { status: 'open' } }).meaning).toContain('the bank decides');
  expect(of({ chargeback: { status: 'won' } })).toEqual(of({}));
  expect(of({ status: 'refunded', chargeback: { status: 'lost' } }).meaning).toContain('bank');
});

test('an order that has not left is not said to be delivered', () => {
  expect(of({ awaitsShipment: true }).title).not.toContain('Delivered');
});
