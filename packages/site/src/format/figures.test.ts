import { expect, test } from 'vitest';
import {
  count,
  countNoun,
  day,
  instant,
  money,
  percent,
  price,
  roundMoney,
  seconds,
  shortDigest,
  timeLeft,
  wholePercent,
} from './figures.ts';

test('figures as people read them', () => {
  expect([money(0), money(5), money(2600), money(123_456_789)]).toEqual([
    '$0.00',
    '$0.05',
    '$26.00',
    '$1,234,567.89',
  ]);
  expect(money(-1500)).toBe('−$15.00');
  expect([roundMoney(2000), roundMoney(2050), roundMoney(5_000_000)]).toEqual(['$20', '$20.50', '$50,000']);
  expect([price(0), price(1)]).toEqual(['Free', '$0.01']);
  expect([seconds(0), seconds(440), seconds(9940), seconds(31_200)]).toEqual([
    '0.1 s',
    '0.4 s',
    '9.9 s',
    '31 s',
  ]);
  expect([wholePercent(0.29), wholePercent(0.999), wholePercent(1)]).toEqual(['29%', '99%', '100%']);
  expect([percent(500), percent(50), percent(0)]).toEqual(['5%', '0.5%', '0%']);
  expect([count(1234), countNoun(1, 'sale'), countNoun(2, 'sale'), countNoun(0, 'entry', 'entries')]).toEqual(
    ['1,234', '1 sale', '2 sales', '0 entries'],
  );
});

test('how long it still is', () => {
  const MINUTE = 60_000;
  expect(
    [-1, 1, 59 * MINUTE, 60 * MINUTE, 1439 * MINUTE, 10_080 * MINUTE - 1, 1441 * MINUTE].map(timeLeft),
  ).toEqual([
    'any moment now',
    'in 1 minute',
    'in 59 minutes',
    'in 1 hour',
    'in 23 hours and 59 minutes',
    'in 7 days',
    'in 1 day',
  ]);
});

test('times', () => {
  expect(instant('2026-11-21T03:57:12.345Z')).toBe('2026-11-21 03:57 UTC');
  expect(day('2026-11-21T03:57:12.345Z')).toBe('2026-11-21');
  expect([instant('soon'), day('soon')]).toEqual(['soon', 'soon']);
});

test('digests', () => {
  expect(shortDigest(`sha256:${'0123456789abcdef'.repeat(4)}`)).toBe('sha256:01234567…abcdef');
  expect(shortDigest('short')).toBe('short');
});
