import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CountQuery, countLive } from './depth.rules.ts';
import { LiveSessions } from './live-sessions.rules.ts';
import { expiryAfter, isLive, type Session } from './session.rules.ts';

const BERTHS = ['a', 'b', 'c', 'd'];
const VERTICALS = [null, 'loans', 'maps'];

const step = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    token: fc.nat({ max: 9 }).map(String),
    berthKey: fc.constantFrom(...BERTHS),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    vertical: fc.constantFrom(...VERTICALS),
  }),
  fc.record({ kind: fc.constant('remove' as const), token: fc.nat({ max: 9 }).map(String) }),
  fc.record({ kind: fc.constant('beat' as const), token: fc.nat({ max: 9 }).map(String) }),
  // Also backwards: clocks of different machines differ a little.
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: -50, max: 60_000 }) }),
  fc.constant({ kind: 'reload' as const }),
);

const QUERIES: CountQuery[] = [null, 'buy' as const, 'sell' as const].flatMap((side) =>
  VERTICALS.flatMap((vertical) => [null, ...BERTHS].map((except) => ({ side, vertical, except }))),
);

describe('counting as sessions come and go', () => {
  it('is what counting all rows gives', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const rows = new Map<string, Session>();
        let live = new LiveSessions();
        let [clock, latest] = [1_000_000, 0];
        for (const one of steps) {
          if (one.kind === 'wait') clock += one.ms;
          latest = Math.max(latest, clock);
          expect(live.advance(clock)).toBe(latest);
          if (one.kind === 'put') {
            const { berthKey, side, vertical, token } = one;
            const session = { token, berthKey, side, vertical, expiresAt: expiryAfter(latest) };
            rows.set(token, session);
            live.put(session);
          } else if (one.kind === 'remove') {
            rows.delete(one.token);
            live.remove(one.token);
          } else if (one.kind === 'beat') {
            const session = live.get(one.token);
            if (session) {
              const renewed = { ...session, expiresAt: expiryAfter(latest) };
              rows.set(one.token, renewed);
              live.put(renewed);
            }
          } else if (one.kind === 'reload') {
            const left = [...rows.values()].filter((row) => isLive(row, latest));
            live = new LiveSessions(left.toSorted((a, b) => a.expiresAt - b.expiresAt));
            live.advance(latest);
          }
          for (const query of QUERIES)
            expect(live.count(query)).toBe(countLive(rows.values(), query, latest));
          const alive = [...rows.values()].filter((row) => isLive(row, latest));
          expect(live.size).toBe(alive.length);
          const first = Math.min(...alive.map(({ expiresAt }) => expiresAt));
          expect(live.first()?.expiresAt ?? null).toBe(alive.length === 0 ? null : first);
        }
      }),
      { numRuns: 300 },
    );
  });
});
