import { describe, expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { type PaidTopUp, planRefunds } from './refund-plan.rules.ts';

const NOW = Date.parse('2026-11-23T00:00:00Z');
const paid = (topUpId: string, ageDays: number, failures = 0): PaidTopUp => ({
  topUpId,
  createdAt: isoTime(NOW - ageDays * DAY_MS),
  refunds: failures,
  failures,
});

describe('what goes back to cards', () => {
  it('is what is left of each top-up, the newest first, and the rest is told', () => {
    const left = new Map([
      ['', 70],
      ['old', 50],
      ['new', 1000],
      ['spent', 0],
      ['part', 300],
    ]);
    const topUps = [paid('old', 180), paid('part', 20), paid('new', 1), paid('spent', 2)];
    const plan = planRefunds({ balanceCents: 1420, left }, topUps, NOW);
    expect(plan.toCards.map(({ topUpId, amountCents }) => [topUpId, amountCents])).toEqual([
      ['new', 1000],
      ['part', 300],
    ]);
    expect(plan.leftCents).toBe(120);
  });

  it('is another refund after one that failed, and after three of them none', () => {
    const left = new Map([
      ['once', 10],
      ['thrice', 20],
    ]);
    const plan = planRefunds({ balanceCents: 30, left }, [paid('once', 1, 1), paid('thrice', 1, 3)], NOW);
    expect(plan.toCards.map(({ topUpId, number }) => [topUpId, number])).toEqual([['once', 2]]);
    expect(plan.leftCents).toBe(20);
  });
});
