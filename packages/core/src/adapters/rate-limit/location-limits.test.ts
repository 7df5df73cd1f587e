import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../testing/doubles/fake-clock.ts';
import { FakeLog } from '../../testing/doubles/recording-ports.ts';
import { createLocationLimits, type LocationBindings } from './location-limits.ts';
import { createWindowRateLimiter, type RateTable } from './window-rate-limiter.ts';

const FIGURES = { limit: 3, windowSeconds: 60 };
const TABLE: RateTable = {
  read: FIGURES,
  write: { limit: 2, windowSeconds: 60 },
  register: { ...FIGURES, shared: false },
  purchase: FIGURES,
  x402: FIGURES,
  inquiry: FIGURES,
};
const clock = new FakeClock();

/** As the platform counts: what is refused is not added. */
function createCounter(limit: number) {
  const counts = new Map<string, number>();
  const keys: string[] = [];
  const counter: RateLimit = {
    limit: async ({ key }) => {
      keys.push(key);
      const count = counts.get(key) ?? 0;
      if (count >= limit) return { success: false };
      counts.set(key, count + 1);
      return { success: true };
    },
  };
  return { counter, keys };
}

/** One location with as many isolates as are asked for. */
function createLocation() {
  const read = createCounter(3);
  const wide = createCounter(30);
  const write = createCounter(2);
  const bindings: LocationBindings = {
    RATE_READ: read.counter,
    RATE_READ_WIDE: wide.counter,
    RATE_WRITE: write.counter,
    RATE_REGISTER: createCounter(1).counter,
  };
  const isolate = () => createWindowRateLimiter(TABLE, clock, createLocationLimits(bindings, new FakeLog()));
  return { isolate, read, wide, write };
}

describe('the isolates of one location', () => {
  it('share a limit: what one let through counts in all, and each asks no more once it is spent', async () => {
    const { isolate, read } = createLocation();
    const isolates = [isolate(), isolate(), isolate()];
    const allowed: boolean[] = [];
    for (const round of [1, 2, 3]) {
      for (const one of isolates) allowed.push((await one.take('read', '192.0.2.1')).allowed);
      expect(read.keys.length, `round ${round}`).toBe(round === 1 ? 3 : 6);
    }
    expect(allowed).toEqual([true, true, true, ...Array<boolean>(6).fill(false)]);
    const refused = await isolates[0]?.take('read', '192.0.2.1');
    expect(refused).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 60 });
    expect((await isolates[1]?.take('read', '192.0.2.2'))?.allowed).toBe(true);
  });

  it('count an agent or an IPv4 address in one call, an IPv6 network in two, for its /48 as well', async () => {
    const { isolate, read, wide } = createLocation();
    await isolate().take('read', 'agent-id');
    expect([read.keys, wide.keys]).toEqual([['read agent-id'], []]);
    let allowed = 0;
    // Of one /48, each in an isolate of its own: without the second counter all of them would pass.
    for (let n = 0; n < 40; n += 1) {
      const key = `2001:db8:1:${n.toString(16)}::/64`;
      if ((await isolate().take('read', key)).allowed) allowed += 1;
    }
    expect(allowed).toBe(30);
    expect((await isolate().take('read', '2001:db8:2:1::/64')).allowed).toBe(true);
  });

  it('share the count of wrong keys', async () => {
    const { isolate, write } = createLocation();
    const guess = async (one: ReturnType<typeof isolate>) => {
      const refused = one.keys.begin('192.0.2.1');
      return refused ?? (await one.keys.end('192.0.2.1', 'hash', 'invalid'));
    };
    const isolates = [isolate(), isolate(), isolate()];
    const found: (boolean | undefined)[] = [];
    for (const one of [...isolates, ...isolates]) found.push((await guess(one))?.allowed);
    // The third isolate has looked up one key, and looks up no other.
    expect(found).toEqual([true, true, false, false, false, false]);
    expect(new Set(write.keys)).toEqual(new Set(['keys of 192.0.2.1']));
    expect(isolates[2]?.keys.begin('192.0.2.1')).toMatchObject({ allowed: false });
  });

  it('count alone where the figures say so, and where a counter does not answer, which is logged', async () => {
    const { isolate } = createLocation();
    const registered = await Promise.all([1, 2].map(() => isolate().take('register', '192.0.2.1')));
    expect(registered.map(({ allowed }) => allowed)).toEqual([true, true]);
    const log = new FakeLog();
    const broken: RateLimit = { limit: () => Promise.reject(new Error('No counter.')) };
    const count = createLocationLimits({ RATE_READ: broken }, log);
    const one = createWindowRateLimiter(TABLE, clock, count);
    for (const expected of [true, true, true, false]) {
      expect((await one.take('read', '192.0.2.1')).allowed).toBe(expected);
    }
    expect(log.lines.map(({ event }) => event)).toEqual(Array(3).fill('rate_limit_unavailable'));
  });
});
