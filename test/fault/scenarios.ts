import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answersOf, type Break, breaksOf, type FaultByName } from './await-points.ts';
import { waysAt } from './chosen-schedules.ts';
import type { FaultWorld } from './fault-world.ts';

/** Something that is done, and may be cut off anywhere on its way. */
export interface Scenario<State> {
  readonly name: string;
  /** How the points break, where not in every way. */
  readonly lasting?: readonly Break['lasts'][];
  /** What has to be there before. Nothing breaks here. */
  prepare(): Promise<State>;
  /** What is cut off. How it ends is its own affair: it must not throw because of that. */
  act(state: State): Promise<unknown>;
  /** What whoever asked for it does afterwards, when all is well again, before the jobs have their turn. */
  comeBack?(state: State): Promise<unknown>;
  /** What must have become of it, beyond what always holds. */
  expectEnd(state: State): Promise<unknown>;
}

/** Cuts the scenario off before and after everything it waits for, and has a look at what is left each time. */
export async function breakEverywhere<State>(world: FaultWorld, scenario: Scenario<State>): Promise<void> {
  const points = await pointsOf(world, scenario);

  async function end(state: State): Promise<void> {
    await scenario.comeBack?.(state);
    await world.expectAllWell();
    await scenario.expectEnd(state);
  }
  describe(`${scenario.name}: cut off`, () => {
    beforeAll(world.renew);
    it('nowhere', async () => {
      const state = await scenario.prepare();
      expect(await world.line.watch(() => scenario.act(state))).toEqual(points);
      await end(state);
    });
    const lasting = scenario.lasting ?? ['once', 'twice', 'for_good'];
    const breaks = breaksOf(points, lasting);
    it.each(points.flatMap((_, at) => breaksAt(scenario.name, at, breaks, lasting)))(
      '$title',
      async (how: Break) => {
        const state = await scenario.prepare();
        const calls = await world.line.watch(() => scenario.act(state), answersOf(how));
        expect(calls[how.at], 'what broke').toBe(how.point);
        await end(state);
      },
    );
  });
}

/** A point breaks before it takes effect and after: once in a way that it gets over, and once for good. */
const TURNS: readonly (readonly Pick<Break, 'fault' | 'lasts'>[])[] = [
  [
    { fault: 'lose_request', lasts: 'once' },
    { fault: 'lose_reply', lasts: 'for_good' },
  ],
  [
    { fault: 'lose_request', lasts: 'for_good' },
    { fault: 'lose_reply', lasts: 'once' },
  ],
  [
    { fault: 'lose_request', lasts: 'for_good' },
    { fault: 'lose_reply', lasts: 'twice' },
  ],
];

function breaksAt(name: string, place: number, breaks: readonly Break[], lasting: readonly Break['lasts'][]) {
  const turns = TURNS.filter((ways) => ways.every(({ lasts }) => lasting.includes(lasts)));
  const chosen = waysAt(name, place, turns).flat();
  return breaks.filter(
    (one) =>
      one.at === place &&
      (turns.length === 0 || chosen.some(({ fault, lasts }) => fault === one.fault && lasts === one.lasts)),
  );
}

/** Who comes in between. */
export interface Intruder<State> {
  readonly name: string;
  /** What of it breaks. */
  readonly fault?: FaultByName;
  /** It leaves something open that the clock of a later run decides: each run begins anew. */
  readonly isLeftOpen?: true;
  come(state: State): Promise<unknown>;
}

/** When somebody comes in, and whether whoever was interrupted goes on or dies. */
interface Moment {
  readonly point: string;
  readonly at: number;
  readonly when: 'before' | 'after';
  readonly dies: boolean;
}

/**
 * Has somebody else come in right before everything the scenario waits for, and after the last of it; the scenario
 * then goes on, or dies.
 */
export async function interruptEverywhere<State>(
  world: FaultWorld,
  scenario: Scenario<State>,
  intruder: Intruder<State>,
): Promise<void> {
  const points = await pointsOf(world, scenario);
  const name = `${scenario.name}, and meanwhile ${intruder.name}`;
  const last = points.length - 1;
  const moments: readonly Moment[] = [
    ...points.flatMap((point, at) =>
      waysAt(name, at, [false, true]).map((dies) => ({ point, at, when: 'before' as const, dies })),
    ),
    // After any other call is before the next one. Whoever has done everything cannot die of it.
    { point: points[last] ?? '', at: last, when: 'after', dies: false },
  ];
  describe(name, () => {
    (intruder.isLeftOpen ? beforeEach : beforeAll)(world.renew);
    it.each(moments)('$when "$point", dead then: $dies', async ({ point, at, when, dies }) => {
      const state = await scenario.prepare();
      const moment = when === 'before' ? at : at + 1;
      let hasCome = false;
      const come = async () => {
        hasCome = true;
        await intruder.come(state);
      };
      const calls = await world.line.watch(
        () => scenario.act(state),
        async (call) => {
          if (call === moment && !hasCome) await world.line.meanwhile(come, intruder.fault);
          return dies && call >= moment ? 'lose_request' : undefined;
        },
      );
      if (!hasCome) await come();
      expect(calls[at], 'where it came').toBe(point);
      await scenario.comeBack?.(state);
      await world.expectAllWell();
      await scenario.expectEnd(state);
    });
  });
}

/** Everything it waits for when all goes well. */
async function pointsOf<State>(world: FaultWorld, scenario: Scenario<State>): Promise<string[]> {
  const state = await scenario.prepare();
  const points = await world.line.watch(() => scenario.act(state));
  if (points.length === 0) throw new Error(`${scenario.name} waits for nothing.`);
  await scenario.comeBack?.(state);
  await world.recover();
  return points;
}
