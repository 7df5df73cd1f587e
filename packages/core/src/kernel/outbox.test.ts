import { describe, expect, it } from 'vitest';
import { type Due, drainOutbox, MAX_TRIES, nextTries } from './outbox.ts';
import { DAY_MS, epochOf, HOUR_MS, isoTime, MINUTE_MS } from './time.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const waits = nextTries(NOW).map((time) => epochOf(time) - NOW);

describe('the tries of what is to be sent', () => {
  it('are eight, each wait longer than the one before', () => {
    expect(waits).toHaveLength(MAX_TRIES);
    const between = waits.slice(0, -1);
    for (const [index, wait] of between.entries()) expect(wait).toBeGreaterThan(between[index - 1] ?? 0);
  });

  it('take about a day, the first of it often', () => {
    const total = waits.slice(0, -1).reduce((sum, wait) => sum + wait, 0);
    expect(Math.abs(total - DAY_MS)).toBeLessThan(HOUR_MS);
    expect(waits[0]).toBeLessThan(2 * MINUTE_MS);
  });

  it('never fall due while one may still be under way', () => {
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(MINUTE_MS);
  });
});

describe('an outbox is worked off', () => {
  /** So many rows, and all that was asked of the outbox. */
  function outboxOf(rows: number) {
    let left = rows;
    let now = NOW;
    const asked: { outcomes: string | null; due: Due }[] = [];
    const outbox = {
      async recordAndClaimBatch(outcomes: string | null, due: Due) {
        asked.push({ outcomes, due });
        const taken = Math.min(left, due.limit);
        left -= taken;
        return Array.from({ length: taken }, (_, index) => index);
      },
      async sendAll(taken: readonly number[]) {
        now += 1000;
        return `${taken.length} sent`;
      },
    };
    return {
      asked,
      run: (limit: number) => drainOutbox(outbox, limit, { now: () => now }),
      left: () => left,
    };
  }

  it('in waves, each of which tells how the one before ended, until nothing is due', async () => {
    const { asked, run } = outboxOf(9);
    expect(await run(100)).toBe(9);
    expect(asked.map(({ outcomes }) => outcomes)).toEqual([null, '4 sent', '4 sent', '1 sent']);
    expect(asked.map(({ due }) => due.now)).toEqual(
      [0, 1, 2, 3].map((second) => isoTime(NOW + second * 1000)),
    );
    expect(asked[1]?.due.nextTries).toEqual(nextTries(NOW + 1000));
  });

  it('up to a limit, and how the last ones ended is told all the same', async () => {
    const { asked, run, left } = outboxOf(100);
    expect(await run(6)).toBe(6);
    expect(asked.map(({ outcomes, due }) => [outcomes, due.limit])).toEqual([
      [null, 4],
      ['4 sent', 2],
      ['2 sent', 0],
    ]);
    expect(left()).toBe(94);
  });
});
