import { describe, expect, it } from 'vitest';
import { hasMovedAStep } from './reputation-step.rules.ts';

describe('lists show another reputation', () => {
  it.each([
    [null, 43.8, true],
    [43.8, 43.8, false],
    [43.8, 44.7, false],
    [43.8, 44.8, true],
    [44.7, 43.8, false],
    [44.8, 43.8, true],
    // Neither difference is exact in binary.
    [0.1, 1.1, true],
    [70.1, 69.1, true],
  ])('from %j to %d: %s', (shown, reputation, moved) => {
    expect(hasMovedAStep(shown, reputation)).toBe(moved);
  });
});
