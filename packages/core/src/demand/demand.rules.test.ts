import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CURSOR, cursorOf, pageOf, positionOf } from '../kernel/page-cursor.ts';
import {
  armsLengthCentsOf,
  breakdownsOf,
  type Cell,
  escrowOf,
  type PartyClass,
  partyOf,
  RAILS,
  reconciliationOf,
  totalsOf,
} from './demand.rules.ts';

const CLASSES: readonly PartyClass[] = [
  'house_buyer',
  'internal',
  'house_seller',
  'affiliated',
  'self_sale',
  'anonymous',
  'apart',
  'arms_length',
];

const cell: fc.Arbitrary<Cell> = fc
  .record({
    rail: fc.constantFrom(...RAILS),
    status: fc.constantFrom('held' as const, 'releasing' as const, 'released' as const),
    class: fc.constantFrom(...CLASSES),
    isReference: fc.boolean(),
    isPaid: fc.boolean(),
    sales: fc.integer({ min: 1, max: 1000 }),
    cents: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ cents, ...rest }) => {
    const grossCents = rest.isPaid ? rest.sales * cents : 0;
    return { ...rest, grossCents, feeCents: Math.floor(grossCents / 20) };
  });
const cells = fc.array(cell, { maxLength: 30 });
const NOBODY = { buyers: 0, sellers: 0 };

const all = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0);

describe('whatever the cells', () => {
  it('each breakdown adds up to its basis, and so do the rows in escrow', () => {
    fc.assert(
      fc.property(cells, fc.boolean(), (some, isConfigured) => {
        const totals = totalsOf(some, NOBODY);
        const { byParty, byPartyAllRows, byRail, byRailAllRows } = breakdownsOf(some, isConfigured);
        expect([all(byParty), all(byRail)]).toEqual([totals.paidRows, totals.paidRows]);
        expect([all(byPartyAllRows), all(byRailAllRows)]).toEqual([totals.settledRows, totals.settledRows]);
        expect(totals.paidRows + totals.zeroAmountRows).toBe(totals.settledRows);
        expect(totals.settledSales + totals.referenceListingRows).toBe(totals.settledRows);
        const { heldRows, releasingRows, releasedRows, heldCents, releasingCents, releasedCents } =
          escrowOf(some);
        expect(heldRows + releasingRows + releasedRows).toBe(totals.settledRows);
        expect(heldCents + releasingCents + releasedCents + totals.platformFeeCents).toBe(totals.grossCents);
      }),
    );
  });

  it('nothing is at arm’s length until it is configured, and then only what others vouch for', () => {
    fc.assert(
      fc.property(cells, (some) => {
        expect(armsLengthCentsOf(some, false)).toBe(0);
        const known = some.filter((one) => one.class === 'arms_length');
        expect(armsLengthCentsOf(some, true)).toBe(totalsOf(known, NOBODY).grossCents);
      }),
    );
  });

  it('they are reconciled with exactly the figures that they add up to', () => {
    fc.assert(
      fc.property(cells, fc.constantFrom('escrowCents', 'feesCents', 'payoutsCents'), (some, which) => {
        const { heldCents, releasingCents, releasedCents } = escrowOf(some);
        const figures = {
          escrowCents: heldCents + releasingCents,
          feesCents: totalsOf(some, NOBODY).platformFeeCents,
          payoutsCents: releasedCents,
        };
        expect(reconciliationOf(some, figures)).toMatch(/^Agrees/);
        expect(reconciliationOf(some, { ...figures, [which]: figures[which] + 1 })).toMatch(
          /^Does not agree/,
        );
      }),
    );
  });
});

it('parties are named by what is known of them', () => {
  const named = (isConfigured: boolean) => CLASSES.map((one) => partyOf(one, isConfigured));
  const known = [
    'house_buyer',
    'internal',
    'house_seller',
    'affiliated',
    'self_sale',
    'unclassified',
    'unclassified',
  ];
  expect(named(false)).toEqual([...known, 'unclassified']);
  expect(named(true)).toEqual([...known, 'arms_length']);
});

describe('cursors', () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ createdAt: '2026-06-01T12:00:00.000Z', id }));

  it.each(['0b7a7a5e-0000-4000-8000-000000000001', 'vps_0123abcd_x'])('lead back to the row %s', (id) => {
    const row = { createdAt: '2026-06-01T12:00:00.000Z', id };
    expect(cursorOf(row)).toMatch(CURSOR);
    expect(positionOf(cursorOf(row))).toEqual(row);
  });

  it('are there only where something follows', () => {
    expect(pageOf(rows, 2)).toEqual({ rows: rows.slice(0, 2), nextCursor: '2026-06-01T12:00:00.000Z_b' });
    expect(pageOf(rows, 3).nextCursor).toBeNull();
    expect(pageOf([], 3)).toEqual({ rows: [], nextCursor: null });
    expect(positionOf(undefined)).toBeNull();
  });
});
