import { expect, it } from 'vitest';
import { DAY_MS, epochOf, HOUR_MS, isoTime } from '../../kernel/time.ts';
import { gatheredUntil, isPayoutReady, nextLook, SALES_OF_A_PAYOUT } from './gathering.rules.ts';

const NOW = epochOf('2026-06-01T12:00:00.000Z');
const TERMS = { gasSharePercent: 10, waitDays: 7 };
const payout = (amountCents: number, sales = 1) => ({
  amountCents,
  sales,
  waitsUntil: isoTime(NOW + DAY_MS),
});
/** Ten cents. */
const GAS = { payoutUnits: 100_000n };

it.each([
  [99, false],
  [100, true],
])('a payout of %d cents at ten cents of gas is ready: %s', (amountCents, isReady) => {
  expect(isPayoutReady(payout(amountCents), GAS, TERMS, NOW)).toBe(isReady);
});

it('a payout that is full, waited long enough, or of unknown cost is ready', () => {
  expect(isPayoutReady(payout(24, SALES_OF_A_PAYOUT - 1), GAS, TERMS, NOW)).toBe(false);
  expect(isPayoutReady(payout(25, SALES_OF_A_PAYOUT), GAS, TERMS, NOW)).toBe(true);
  expect(isPayoutReady(payout(1), null, TERMS, NOW)).toBe(true);
  expect(isPayoutReady(payout(1), GAS, TERMS, NOW + DAY_MS - 1)).toBe(false);
  expect(isPayoutReady(payout(1), GAS, TERMS, NOW + DAY_MS)).toBe(true);
});

it('looks again every six hours, and when the wait is over', () => {
  const until = gatheredUntil(isoTime(NOW), TERMS);
  expect(until).toBe(isoTime(NOW + 7 * DAY_MS));
  expect(nextLook(until, NOW)).toBe(isoTime(NOW + 6 * HOUR_MS));
  expect(nextLook(until, NOW + 7 * DAY_MS - HOUR_MS)).toBe(until);
});
