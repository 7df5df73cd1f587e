import { describe, expect, it } from 'vitest';
import type { SaleStatus } from '../../sale-status.rules.ts';
import { placeOfMoney } from './place-of-money.rules.ts';

const NOW = Date.parse('2026-06-02T00:00:00.000Z');
const BEFORE = '2026-06-01T00:00:00.000Z';
const AFTER = '2026-06-03T00:00:00.000Z';
const PAYMENT = {
  capturedCents: 0,
  dueAt: null,
  outcome: null,
  refundId: null,
  refundRequestedAt: null,
  reserveUntil: null,
};
const TAB = { chargedMicros: 0, closedAt: null, expiresAt: AFTER, reservedMicros: 0 };
type TabFacts = { [Name in keyof typeof TAB]: string | number | null };

function place(status: SaleStatus, payment: object = {}, tab: Partial<TabFacts> | null = null) {
  const facts = tab === null ? null : ({ ...TAB, ...tab } as typeof TAB);
  const [code, detail] = placeOfMoney({ status, payment: { ...PAYMENT, ...payment } }, facts, NOW);
  return { code, detail };
}

describe('where the money is that is not in escrow', () => {
  it('of what is not delivered: a transfer may be settled, and a page captured, before that', () => {
    const { code, detail } = place('authorized');
    expect(code).toBe('not_in_escrow_yet');
    expect(detail).not.toContain('othing is charged');
    expect(detail).toContain('goes back if it is not');
  });

  it.each(['failed', 'expired'] as const)(
    'of what %s: its payment may come late, and goes back then',
    (status) => {
      const { code, detail } = place(status);
      expect(code).toBe('not_in_escrow');
      expect(detail).not.toContain('othing was charged');
      expect(detail).toContain('late goes back');
    },
  );

  it('of a refund that failed: it is not paid back yet', () => {
    const { detail } = place('refunded', { capturedCents: 500, dueAt: AFTER });
    expect(detail).not.toContain('was paid back');
    expect(detail).toContain('not paid back yet');
  });

  it('of what was refunded before anything was captured: what was reserved is free', () => {
    expect(place('refunded').detail).not.toContain('was paid back');
    expect(place('refunded', { capturedCents: 500, refundId: 're_1' }).detail).toContain('was paid back');
    // In the processor's dashboard, or in the wallet.
    expect(place('refunded', { capturedCents: 500 }).detail).toContain('was paid back');
  });

  it('of what came into escrow since it was refused: the same request is good', () => {
    expect(place('held').code).toBe('not_in_escrow_yet');
    expect(place('held', { reserveUntil: AFTER })).toMatchObject({
      code: 'not_in_escrow',
      detail: expect.stringContaining('time in escrow is over'),
    });
    expect(place('held', { refundRequestedAt: BEFORE, reserveUntil: AFTER })).toMatchObject({
      code: 'not_in_escrow',
      detail: expect.stringContaining('refund'),
    });
  });

  it.each([{ closedAt: BEFORE }, { expiresAt: BEFORE }, { closedAt: BEFORE, expiresAt: null }])(
    'of a tab of which nothing was answered, and that is over: it is never held (%o)',
    (tab) => {
      const { code, detail } = place('authorized', {}, tab);
      expect(code).toBe('not_in_escrow');
      expect(detail).toContain('goes back');
    },
  );

  it('of a tab that is over while its only query is out: it is held if that is answered', () => {
    const { code, detail } = place('authorized', {}, { closedAt: BEFORE, reservedMicros: 500 });
    expect(code).toBe('not_in_escrow_yet');
    expect(detail).toContain('if it is not');
    expect(
      place('authorized', {}, { closedAt: BEFORE, chargedMicros: 500, reservedMicros: 500 }),
    ).toMatchObject({
      code: 'not_in_escrow_yet',
      detail: expect.stringContaining('within some minutes'),
    });
  });

  it('of a tab that is open or not paid yet', () => {
    expect(place('authorized', {}, {}).detail).toContain(`open until ${AFTER}`);
    expect(place('authorized', {}, { expiresAt: null }).code).toBe('not_in_escrow_yet');
    expect(place('authorized', { outcome: 'failed' }, {}).code).toBe('not_in_escrow');
  });
});
