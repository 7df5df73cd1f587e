import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../../kernel/time.ts';
import {
  DEFAULT_RESERVE,
  type DueSale,
  decidePayouts,
  payoutLimitCents,
  reserveEnd,
} from './reserve.rules.ts';

const NOW = Date.UTC(2026, 5, 1);
const cents = fc.integer({ min: 0, max: 200_000 });
const record = fc.record({ outstandingCents: cents, pastCents: cents, disputedCents: cents });
const kind = fc.constantFrom('wallet' as const, 'account' as const);
const terms = fc.record({
  limitCents: cents,
  days: fc.integer({ min: 0, max: 120 }),
  growthPercent: fc.integer({ min: 0, max: 200 }),
});
const due: fc.Arbitrary<DueSale> = fc.record({
  netCents: fc.integer({ min: 1, max: 100_000 }),
  isRevocable: fc.boolean(),
  holdUntil: fc.integer({ min: 0, max: 200 }).map((days) => isoTime(NOW - days * DAY_MS)),
  reserveUntil: fc.option(fc.integer({ min: -50, max: 50 }).map((days) => isoTime(NOW + days * DAY_MS))),
});

const sumOf = (sales: readonly DueSale[]) => sales.reduce((sum, { netCents }) => sum + netCents, 0);

describe('what a seller is paid of money that banks may take back', () => {
  it('is never more than its limit outstanding, and what is not paid is kept: all of it together is the net', () => {
    fc.assert(
      fc.property(fc.array(due, { maxLength: 30 }), record, kind, terms, (sales, known, paidTo, given) => {
        const decisions = decidePayouts(sales, { record: known, kind: paidTo }, given, NOW);
        const decided = (which: 'pay' | 'keep') =>
          sales.filter((_, index) => decisions[index]?.kind === which);
        expect(sumOf(decided('pay')) + sumOf(decided('keep'))).toBe(sumOf(sales));
        const atRisk = decided('pay').filter(
          (sale) => sale.isRevocable && reserveEnd(sale, given) > isoTime(NOW),
        );
        const limit = payoutLimitCents(given, known, paidTo);
        if (limit !== null && atRisk.length > 0)
          expect(known.outstandingCents + sumOf(atRisk)).toBeLessThanOrEqual(limit);
      }),
    );
  });

  it('always ends: at the end of its reserve every sale is paid, however much is outstanding', () => {
    fc.assert(
      fc.property(due, record, kind, terms, (sale, known, paidTo, given) => {
        const end = Date.parse(reserveEnd(sale, given));
        expect(decidePayouts([sale], { record: known, kind: paidTo }, given, end)).toEqual([
          { kind: 'pay', limitCents: null },
        ]);
      }),
    );
  });

  it('is kept for no longer than it was told, though others are kept since', () => {
    fc.assert(
      fc.property(due, record, kind, terms, (sale, known, paidTo, given) => {
        const [first] = decidePayouts([sale], { record: known, kind: paidTo }, given, NOW);
        if (first?.kind !== 'keep') return;
        const again = { ...sale, reserveUntil: first.until };
        const [second] = decidePayouts([again], { record: known, kind: paidTo }, given, NOW);
        expect(second).toEqual(first);
      }),
    );
  });
});

describe('the limit', () => {
  const limit = (pastCents: number, disputedCents: number, paidTo: 'wallet' | 'account') =>
    payoutLimitCents(DEFAULT_RESERVE, { outstandingCents: 0, pastCents, disputedCents }, paidTo);

  it('is $500 to begin with, and grows with half of what nobody disputed', () => {
    expect([limit(0, 0, 'wallet'), limit(100_000, 0, 'wallet')]).toEqual([50_000, 100_000]);
    expect([limit(100_000, 100_000, 'wallet'), limit(1, 100_000, 'wallet')]).toEqual([50_000, 50_000]);
  });

  it('ends for accounts at the card processor once as much was undisputed', () => {
    expect([limit(49_999, 0, 'account'), limit(50_000, 0, 'account')]).toEqual([74_999, null]);
    expect(limit(60_000, 20_000, 'account')).toBe(70_000);
  });
});
