import { describe, expect, it, test } from 'vitest';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import {
  type DueEndpoint,
  planProbes,
  probeResult,
  retryAfterMs,
  type Silence,
  silenceAfter,
} from './probes.rules.ts';

const NOW = Date.parse('2026-06-03T12:00:00.000Z');
const DUE = isoTime(NOW);
const after = (ms: number) => isoTime(NOW + ms);

test.each([
  ['0', 0],
  ['7200', 2 * HOUR_MS],
  // A million days, and more digits than a number has.
  ['86400000000', DAY_MS],
  ['9'.repeat(60), DAY_MS],
  ['-5', 0],
  ['1.5', 0],
  ['1e9', 0],
  ['soon', 0],
  ['', 0],
  ['Wed, 03 Jun 2026 15:00:00 GMT', 3 * HOUR_MS],
  ['Wed, 03 Jun 2026 11:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', DAY_MS],
  ['Fri, 99 Foo 2026 99:99:99 GMT', 0],
  ['2026-06-03T15:00:00.000Z', 0],
])('Retry-After: %s is obeyed for %i ms', (value, ms) => {
  expect(retryAfterMs(value, NOW)).toBe(ms);
});

describe('what a run does with endpoints that are due', () => {
  const endpoint = (n: number, more: Partial<DueEndpoint> = {}): DueEndpoint => ({
    sellerId: `s${n}`,
    callbackHost: `h${n}.example.com`,
    probeAt: DUE,
    silentSince: null,
    failedProbes: 0,
    unreachableSince: null,
    hasListings: true,
    hasAnswered: false,
    ...more,
  });
  const plan = (...due: DueEndpoint[]) => {
    const { probes, postponed } = planProbes(due, NOW);
    return {
      probes: probes.map(({ sellerId }) => sellerId),
      times: Object.fromEntries(postponed.map(({ sellerId, to }) => [sellerId, Date.parse(to) - NOW])),
    };
  };

  it('who sells nothing, and who answered buyers, is not probed', () => {
    const planned = plan(
      endpoint(1, { hasListings: false }),
      endpoint(2, { hasListings: false, silentSince: DUE }),
      endpoint(3, { hasAnswered: true }),
      endpoint(4),
      endpoint(5, { silentSince: DUE, hasAnswered: true }),
    );
    expect(planned.probes).toEqual(['s4', 's5']);
    // Of the two that are probed: what holds if the run dies.
    expect(planned.times).toEqual({
      s1: 7 * DAY_MS,
      s2: DAY_MS,
      s3: 7 * DAY_MS,
      s4: 7 * DAY_MS,
      s5: HOUR_MS,
    });
  });

  it('a host with 200 sellers gets two probes a minute, and keeps no other host waiting', () => {
    const shared = Array.from({ length: 200 }, (_, n) => endpoint(n, { callbackHost: 'shared.example.com' }));
    const planned = plan(...shared, endpoint(300));
    expect(planned.probes).toEqual(['s0', 's1', 's300']);
    expect(planned.times).toMatchObject({
      s2: MINUTE_MS,
      s3: MINUTE_MS,
      s4: 2 * MINUTE_MS,
      s199: 99 * MINUTE_MS,
    });
  });

  it('one run makes 20 calls at most: the others stay due', () => {
    const planned = plan(...Array.from({ length: 50 }, (_, n) => endpoint(n)));
    expect(planned.probes).toHaveLength(20);
    expect(Object.keys(planned.times)).toEqual(planned.probes);
  });

  it('sellers who poll have no host in common', () => {
    const polling = Array.from({ length: 5 }, (_, n) => endpoint(n, { callbackHost: null }));
    expect(plan(...polling).probes).toHaveLength(5);
  });
});

describe('an endpoint that did not answer', () => {
  const silent = (hours: number, failedProbes: number, more: Partial<Silence> = {}): Silence => ({
    silentSince: after(-hours * HOUR_MS),
    failedProbes,
    unreachableSince: null,
    ...more,
  });
  const next = (before: Silence, wait = 0) =>
    silenceAfter(before, { kind: 'silent', retryAfterMs: wait }, NOW);

  it('is unreachable after a day and three probes, not before', () => {
    const first = next({ silentSince: null, failedProbes: 0, unreachableSince: null });
    expect(first).toEqual({
      silentSince: DUE,
      failedProbes: 1,
      unreachableSince: null,
      probeAt: after(HOUR_MS),
    });
    expect(next(silent(23.99, 22)).unreachableSince).toBeNull();
    expect(next(silent(24, 1)).unreachableSince).toBeNull();
    expect(next(silent(24, 2)).unreachableSince).toBe(DUE);
  });

  it('is probed each hour, or as late as it asks; after a week of it once a day', () => {
    expect(next(silent(5, 5), 3 * HOUR_MS).probeAt).toBe(after(3 * HOUR_MS));
    expect(next(silent(5, 5), MINUTE_MS).probeAt).toBe(after(HOUR_MS));
    const gone = (days: number) => silent(24 * (days + 1), 99, { unreachableSince: after(-days * DAY_MS) });
    expect(next(gone(6.9)).probeAt).toBe(after(HOUR_MS));
    expect(next(gone(7)).probeAt).toBe(after(DAY_MS));
  });

  it('is asked no more once it said that it is gone', () => {
    const gone = silenceAfter(silent(1, 0), { kind: 'gone' }, NOW);
    expect(gone).toMatchObject({ probeAt: null, unreachableSince: DUE });
  });
});

test.each(['relay_busy', 'mailbox_busy', 'mailbox_unavailable'] as const)(
  'the endpoint is not to blame for %s',
  (reason) => {
    expect(probeResult({ verified: false, reason }, NOW)).toEqual({ kind: 'unknown' });
  },
);
