import { expect, it } from 'vitest';
import { moonPhase } from './moon-phase.ts';

const at = (instant: string) => moonPhase.answer({ at: instant }, 0);

// Phases as almanacs have them.
it.each([
  ['2000-01-06T18:14:00Z', 'new moon', 0],
  ['2024-04-08T18:21:00Z', 'new moon', 0],
  ['2024-09-18T02:34:00Z', 'full moon', 1],
  ['2025-03-14T06:55:00Z', 'full moon', 1],
  ['2025-05-04T13:52:00Z', 'first quarter', 0.5],
])('is at %s: %s', (instant, phase, litShare) => {
  const answer = at(instant);
  expect(answer).toMatchObject({ at: new Date(instant).toISOString(), phase });
  expect(Math.abs(Number(answer?.litShare) - litShare)).toBeLessThan(0.08);
});

it('is of the time of asking where nothing is said, and of no year that it does not cover', () => {
  expect(moonPhase.answer({}, Date.parse('2024-04-08T18:21:00Z'))).toMatchObject({ phase: 'new moon' });
  expect(at('1999-12-31T23:00:00Z')).toBeNull();
});
