import { expect, it } from 'vitest';
import { liveThroughWeek } from '../week/week.ts';

// A small week of marketplace life, always the same: everything that breaks elsewhere one by one breaks here together.

it('owes nobody anything after a week in which everything breaks', { timeout: 120_000 }, async () => {
  const report = await liveThroughWeek({ seed: 7, purchases: 60, buyers: 6, sellers: 2 });
  expect(report.differences).toEqual([]);
  expect(report.findings).toEqual([]);
  const happened = ['wallet', 'card', 'checkout', 'usdc', 'faults', 'dashboard', 'chargebacks', 'disputes'];
  expect(happened.filter((what) => !report.counts[what])).toEqual([]);
  expect(report.sales).toBeGreaterThan(20);
});
