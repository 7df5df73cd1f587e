import { expect, it } from 'vitest';
import { liveThroughWeek } from './week.ts';

// `pnpm week`: thousands of purchases. SEED and PURCHASES choose another week.

it('owes nobody anything after a week in which everything breaks', { timeout: 3_600_000 }, async () => {
  const purchases = Number(process.env.PURCHASES ?? 3000);
  const begun = performance.now();
  const report = await liveThroughWeek({
    seed: Number(process.env.SEED ?? 1),
    purchases,
    buyers: Math.ceil(purchases / 25),
    sellers: 4 + Math.ceil(purchases / 200),
  });
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(JSON.stringify({ ...report, seconds }, null, 2));
  const { differences, findings, overdue, unfinished } = report;
  expect({ differences, findings, overdue, unfinished }).toEqual({
    differences: [],
    findings: [],
    overdue: [],
    unfinished: [],
  });
});
