import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpendPolicy } from '../kernel/spend-policy.ts';
import {
  type Commitment,
  NO_LIMITS,
  needsApproval,
  policyFault,
  type SpendLimits,
  widerThan,
} from './policy.rules.ts';

const policy = (limits: Partial<SpendLimits>): SpendPolicy => ({
  ...NO_LIMITS,
  ...limits,
  id: '',
  changedAt: '',
});
const DATA: Commitment = { sellerId: 's1', verticalSlug: 'weather', rail: 'wallet', amountCents: 500 };

describe('what a key may buy', () => {
  it.each([
    [{}, null],
    [{ sellers: ['s1'], verticals: ['weather'], rails: ['wallet'], perPurchaseCents: 500 }, null],
    [{ sellers: ['s2'] }, { kind: 'seller' }],
    [{ sellers: [] }, { kind: 'seller' }],
    [{ verticals: ['maps'] }, { kind: 'vertical' }],
    [{ rails: ['card', 'checkout'] }, { kind: 'rail' }],
    [{ rails: [] }, { kind: 'rail' }],
    [{ perPurchaseCents: 499 }, { kind: 'price', limitCents: 499 }],
    [{ perPurchaseCents: 0 }, { kind: 'price', limitCents: 0 }],
  ])('%j: %j', (limits, fault) => {
    expect(policyFault([policy(limits)], DATA)).toEqual(fault);
    // The same of a policy above it, and of none.
    expect(policyFault([policy({}), policy(limits)], DATA)).toEqual(fault);
    expect(policyFault([], DATA)).toBeNull();
  });

  it('what is free counts for its seller and its vertical only', () => {
    const free = { ...DATA, amountCents: 0 };
    expect(policyFault([policy({ rails: [], perPurchaseCents: 0 })], free)).toBeNull();
    expect(policyFault([policy({ sellers: ['s2'] })], free)).toEqual({ kind: 'seller' });
    expect(policyFault([policy({ verticals: [] })], free)).toEqual({ kind: 'vertical' });
    expect(needsApproval([policy({ approvalAboveCents: 0 })], 0)).toBe(false);
  });

  it('the lowest amount above which a person approves counts', () => {
    const policies = [policy({ approvalAboveCents: 900 }), policy({ approvalAboveCents: 400 }), policy({})];
    expect([400, 401].map((cents) => needsApproval(policies, cents))).toEqual([false, true]);
  });
});

const cents = fc.option(fc.integer({ min: 0, max: 9 }));
const names = fc.option(fc.subarray(['s1', 's2', 's3']));
const limits: fc.Arbitrary<SpendLimits> = fc.record({
  perPurchaseCents: cents,
  perDayCents: cents,
  perWeekCents: cents,
  perMonthCents: cents,
  totalCents: cents,
  approvalAboveCents: cents,
  sellers: names,
  verticals: names,
  rails: names,
});

describe('a policy below another', () => {
  it('allows nothing that the other does not', () => {
    const commitment = fc.record({
      sellerId: fc.constantFrom('s1', 's2', 's3'),
      verticalSlug: fc.constantFrom('s1', 's2'),
      rail: fc.constantFrom('s1', 's2'),
      amountCents: fc.integer({ min: 0, max: 10 }),
    });
    fc.assert(
      fc.property(limits, limits, commitment, (own, above, one) => {
        const both = [policy(own), policy(above)];
        if (policyFault([policy(above)], one) !== null) expect(policyFault(both, one)).not.toBeNull();
        if (needsApproval([policy(above)], one.amountCents))
          expect(needsApproval(both, one.amountCents)).toBe(true);
      }),
    );
  });

  it('is wider where it names what the other does not allow; a limit that it leaves out is the other’s', () => {
    expect(
      widerThan({ ...NO_LIMITS, perDayCents: 9, sellers: ['s1'] }, { ...NO_LIMITS, perDayCents: 8 }),
    ).toEqual(['perDayCents']);
    expect(widerThan({ ...NO_LIMITS, sellers: ['s1', 's2'] }, { ...NO_LIMITS, sellers: ['s1'] })).toEqual([
      'sellers',
    ]);
    fc.assert(
      fc.property(limits, (one) => {
        expect(widerThan(one, one)).toEqual([]);
        expect(widerThan(NO_LIMITS, one)).toEqual([]);
      }),
    );
  });
});
