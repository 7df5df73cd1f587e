import { expect, it } from 'vitest';
import { liveThroughWeek } from '../week/week.ts';

// A small week of marketplace life, always the same: everything that breaks elsewhere one by one breaks here together.

it('owes nobody anything after a week in which everything breaks', { timeout: 600_000 }, async () => {
  const report = await liveThroughWeek({ seed: 1, purchases: 84, buyers: 6, sellers: 4, stepHours: 4 });
  const { differences, findings, overdue, unfinished } = report;
  expect({ differences, findings, overdue, unfinished }).toEqual({
    differences: [],
    findings: [],
    overdue: [],
    unfinished: [],
  });
  const happened = [
    'wallet',
    'card',
    'checkout',
    'usdc',
    'free',
    'disputes',
    'bulk',
    'offers',
    'orders shipped',
    'webhooks lost',
    'calls to the database lost',
    'calls to the card processor lost',
  ];
  expect(happened.filter((what) => !report.counts[what])).toEqual([]);
  expect([report.sales > 20, report.overdueBefore > 0]).toEqual([true, true]);
});
