import { beforeAll, describe, expect, it } from 'vitest';
import { waysAt } from './chosen-schedules.ts';
import { Party } from './party.ts';

/** Two who are at work on the same at once. How each ends is its own affair: neither may throw because of the other. */
export interface Pair<State> {
  readonly name: string;
  prepare(): Promise<State>;
  first(state: State): Promise<unknown>;
  second(state: State): Promise<unknown>;
  /** What passes while whoever began is held, as when a request hangs until its lease is over. */
  meanwhile?(): void;
  /** What whoever asked does afterwards, before the jobs have their turn. */
  comeBack?(state: State): Promise<unknown>;
  /** What must have become of it, beyond what always holds. */
  expectEnd(state: State): Promise<unknown>;
}

/** Where a pair is at work. */
interface World {
  settled(): Promise<unknown>;
  /** Everything comes to its end. */
  recover(): Promise<void>;
  expectAllWell(): Promise<void>;
  renew(): Promise<void>;
}

/** So many of the schedules of a pair at most; where there are more, always the same ones. */
const MOST_SCHEDULES = 40;

interface Schedule {
  readonly begins: 'first' | 'second';
  /** So many calls the party that begins has made when it is held, and then the other. */
  readonly at: number;
  readonly otherAt: number;
}

/**
 * Holds each of the two inside each of its calls: one begins and is held, the other begins and is held, the one goes on
 * to its end, and then the other. Where the other is held nowhere, it comes in between and ends first.
 */
export async function holdBothEverywhere<State>(world: World, pair: Pair<State>): Promise<void> {
  const calls = { first: await rehearse('first'), second: await rehearse('second') };

  async function rehearse(which: 'first' | 'second'): Promise<number> {
    const state = await pair.prepare();
    const party = new Party(Number.POSITIVE_INFINITY);
    await party.begin(() => pair[which](state));
    await party.finish();
    await world.settled();
    await pair.comeBack?.(state);
    await world.recover();
    if (party.calls.length === 0) throw new Error(`${pair.name}: the ${which} waits for nothing.`);
    return party.calls.length;
  }

  function schedulesBegunBy(begins: 'first' | 'second'): Schedule[] {
    const other = begins === 'first' ? 'second' : 'first';
    const places = (count: number) => Array.from({ length: count }, (_, place) => place + 1);
    return places(calls[begins] - 1).flatMap((at) =>
      waysAt(`${pair.name}, ${begins}, ${at}`, 0, places(calls[other])).map((otherAt) => ({
        begins,
        at,
        otherAt,
      })),
    );
  }

  const schedules = sample([...schedulesBegunBy('first'), ...schedulesBegunBy('second')]);
  describe(pair.name, () => {
    beforeAll(world.renew);
    it.each(schedules)('$begins begins, held after $at; the other after $otherAt', async (schedule) => {
      const { begins, at, otherAt } = schedule;
      const state = await pair.prepare();
      const [one, other] = [new Party(at), new Party(otherAt)];
      await one.begin(() => pair[begins](state));
      pair.meanwhile?.();
      await other.begin(() => pair[begins === 'first' ? 'second' : 'first'](state));
      await one.finish();
      await other.finish();
      await world.settled();
      expect(one.calls.length, 'where it was held').toBeGreaterThan(at);
      await pair.comeBack?.(state);
      await world.expectAllWell();
      await pair.expectEnd(state);
    });
  });
}

/** As many as are tried, spread over all of them by a fixed seed. */
function sample(schedules: readonly Schedule[]): Schedule[] {
  let seed = 20_261_122;
  const left = [...schedules];
  while (left.length > MOST_SCHEDULES) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    left.splice(seed % left.length, 1);
  }
  return left;
}
