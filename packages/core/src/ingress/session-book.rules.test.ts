import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdmittedSession, SessionBook } from './session-book.rules.ts';
import type { SignsRow } from './signs-of-life.rules.ts';

// Invariants 16 and 17: an object that ends at any moment makes no depth too high and refuses no live session.

const ALL = { side: null, vertical: null, except: null };
const START = 1_000_000;
const LIFE_MS = 120_000;
const LOST_MS = 15_000;

/** The object around a book: what is stored survives a crash, and nothing else does. */
class StoredBook {
  readonly #admitted: AdmittedSession[] = [];
  readonly rows: SignsRow[] = [];
  book = new SessionBook([], []);

  crash(): void {
    this.book = new SessionBook([...this.#admitted], [...this.rows]);
  }

  admit(token: string, now: number): void {
    const admittedAt = this.book.advance(now);
    const of = { requestId: `of ${token}`, berthKey: token, side: 'buy' as const, vertical: null };
    const session = { ...of, id: this.book.nextId, token, admittedAt };
    this.#admitted.push(session);
    this.book.admit(session);
    this.#store(this.book.rowDue({ showsEnds: true }));
  }

  heartbeat(token: string, now: number): number | null {
    this.book.advance(now);
    const session = this.book.find(token);
    const expiresAt = session === null ? null : this.book.renew(session);
    this.#store(this.book.rowDue({ showsEnds: session === null }));
    return expiresAt;
  }

  count(now: number): number {
    this.book.advance(now);
    this.#store(this.book.rowDue({ showsEnds: true }));
    return this.book.count(ALL);
  }

  close(): void {
    this.#store(this.book.closingRow());
  }

  #store(row: SignsRow | null): void {
    if (row === null) return;
    this.rows.push(row);
    this.book.markStored(row);
  }
}

interface TrueSession {
  expiresAt: number;
  /** How many crashes there had been when it was heard last. */
  heardAfter: number;
  /** An answer showed that it had ended, when nothing of it could have been lost. */
  isSettled: boolean;
}

const step = fc.record({
  act: fc.oneof(
    { weight: 5, arbitrary: fc.constant('heartbeat' as const) },
    { weight: 2, arbitrary: fc.constantFrom('admit' as const, 'count' as const) },
    { weight: 1, arbitrary: fc.constant('close' as const) },
  ),
  session: fc.nat({ max: 5 }),
  waitMs: fc.constantFrom(0, 1, 7000, 14_999, 15_000, 40_000, 60_000, 105_000, 119_999, 120_000),
  crashes: fc.nat({ max: 3 }).map((n) => n === 0),
});

describe('the sessions of an object that may end after any step', () => {
  it('are never counted too high, and none that lives is refused', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 30, size: 'max' }), (steps) => {
        const stored = new StoredBook();
        const sessions = new Map<string, TrueSession>();
        let [now, crashes, crashedAt] = [START, 0, 0];
        const live = () => [...sessions.values()].filter(({ expiresAt }) => now < expiresAt);
        const noteShown = () => {
          for (const one of sessions.values())
            if (one.heardAfter === crashes && one.expiresAt <= now) one.isSettled = true;
        };
        for (const { act, session, waitMs, crashes: isCrash } of steps) {
          now += waitMs;
          const known = [...sessions.keys()];
          const token = known[session % Math.max(1, known.length)];
          if (act === 'admit' && known.length < 6) {
            const admitted = `session ${known.length}`;
            stored.admit(admitted, now);
            sessions.set(admitted, { expiresAt: now + LIFE_MS, heardAfter: crashes, isSettled: false });
            noteShown();
          } else if (act === 'heartbeat' && token !== undefined) {
            const one = sessions.get(token) as TrueSession;
            const expiresAt = stored.heartbeat(token, now);
            if (now < one.expiresAt) expect(expiresAt).not.toBeNull();
            if (one.isSettled) expect(expiresAt).toBeNull();
            if (expiresAt === null) {
              one.isSettled = true;
              noteShown();
              continue;
            }
            expect(expiresAt).toBe(now + LIFE_MS);
            // Whoever was live when the last row was stored may have been heard until 15 s after it.
            expect(now).toBeLessThan(Math.max(one.expiresAt, crashedAt + LOST_MS + LIFE_MS));
            Object.assign(one, { expiresAt, heardAfter: crashes });
          } else if (act === 'count') {
            const counted = stored.count(now);
            expect(counted).toBeLessThanOrEqual(live().length);
            const certain = live().filter(({ heardAfter }) => heardAfter === crashes);
            expect(counted).toBeGreaterThanOrEqual(certain.length);
            if (crashes === 0) expect(counted).toBe(live().length);
            noteShown();
          } else if (act === 'close') {
            // The timer runs after the interval.
            now += LOST_MS;
            stored.book.advance(now);
            stored.close();
          }
          if (isCrash) {
            stored.crash();
            crashes++;
            crashedAt = now;
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('keep a place each while they may come back, and only then', () => {
    const stored = new StoredBook();
    stored.admit('a', START);
    stored.admit('b', START);
    // It opens an interval; what is heard after it is not stored.
    stored.heartbeat('a', START + 100_000);
    expect(stored.heartbeat('b', START + 114_999)).toBe(START + 234_999);
    stored.crash();
    expect([stored.count(START + 120_000), stored.book.size]).toEqual([1, 2]);
    expect([stored.count(START + 234_999), stored.book.size, stored.book.nextEnd()]).toEqual([
      0,
      2,
      START + 235_000,
    ]);
    stored.book.advance(START + 235_000);
    expect([stored.book.size, stored.book.nextEnd()]).toEqual([0, null]);
    expect(stored.book.endOf('b')).toBe(START + 235_000);
    expect(stored.book.forgetEnded(START + 234_999, 9)).toEqual([]);
    expect(stored.book.forgetEnded(START + 235_000, 9)).toEqual([2, 1]);
    expect(stored.book.endOf('b')).toBeNull();
  });

  it('lose nothing in a crash after an interval was completed, by a later sign or by its timer', () => {
    for (const complete of ['sign', 'timer'] as const) {
      const stored = new StoredBook();
      stored.admit('a', START);
      stored.admit('b', START);
      stored.heartbeat('a', START + 50_000);
      stored.heartbeat('b', START + 60_000);
      stored.book.advance(START + 65_000);
      if (complete === 'timer') stored.close();
      else stored.heartbeat('a', START + 65_000);
      expect(stored.rows).toHaveLength(2);
      stored.crash();
      expect(stored.count(START + 179_999)).toBe(complete === 'sign' ? 2 : 1);
      expect(stored.count(START + 180_000)).toBe(complete === 'sign' ? 1 : 0);
      const late = stored.heartbeat('b', START + 180_000);
      // After the sign an interval is open: in it, b may have been heard once more.
      expect(late === null).toBe(complete === 'timer');
    }
  });
});
