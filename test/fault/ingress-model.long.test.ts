import { abortAllDurableObjects } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeAll, expect, inject, it } from 'vitest';
import { newBerth, type TestBerth } from '../ingress/berth.ts';
import { createTestDoor, type TestDoor } from '../ingress/test-door.ts';

// Invariants 16 and 17: whatever comes in whatever order, the door does what a few lines of plain code do.

declare module 'vitest' {
  interface ProvidedContext {
    /** How many random sequences are tried; by vitest.config.ts. */
    sequences: number;
  }
}

const SEQUENCES = inject('sequences');
/** As the Worker under test is configured. */
const PILOT_BUDGET = 3;

interface Terms {
  readonly intentClass: 'PILOT' | 'GUEST';
  readonly side: 'buy' | 'sell';
  readonly vertical?: string;
}

interface ModelSession extends Terms {
  readonly berthKey: string;
  expiresAt: number;
  /** How many evictions there had been when it was heard last, or admitted. */
  heardAfter: number;
  /** A heartbeat was answered with 404. */
  isGone: boolean;
}

/** How long heartbeats are stored together, at most. */
const LOST_MS = 15_000;

/** The door in plain code: two maps, and everything counted anew each time. An eviction loses nothing here. */
class Model {
  evictions = 0;
  evictedAt = 0;
  readonly sessions = new Map<string, ModelSession>();
  readonly admissions = new Map<string, { terms: string; text: string; sessionId: string }>();

  live(
    now: number,
    query: { intentClass: string; side?: string; vertical?: string; except?: string },
    isCounted: (session: ModelSession) => boolean = () => true,
  ): number {
    const fitting = [...this.sessions.values()].filter(
      (one) =>
        one.expiresAt > now &&
        isCounted(one) &&
        one.intentClass === query.intentClass &&
        one.berthKey !== query.except &&
        (query.side === undefined || one.side === query.side) &&
        (query.vertical === undefined || one.vertical === query.vertical),
    );
    return new Set(fitting.map(({ berthKey }) => berthKey)).size;
  }

  /** After an eviction depth may be low for sessions that were not heard since; it is never high. */
  expectDepth(depth: number, now: number, query: Parameters<Model['live']>[1]): void {
    expect(depth).toBeLessThanOrEqual(this.live(now, query));
    const isCertain = ({ heardAfter }: ModelSession) => heardAfter === this.evictions;
    expect(depth).toBeGreaterThanOrEqual(this.live(now, query, isCertain));
  }

  /** Until when a heartbeat may be accepted: after an eviction, one may be lost of whoever was live before. */
  mayLiveUntil({ expiresAt, heardAfter, isGone }: ModelSession): number {
    const isLost = heardAfter < this.evictions && !isGone;
    return isLost ? Math.max(expiresAt, this.evictedAt + LOST_MS + 120_000) : expiresAt;
  }

  isFull(now: number, intentClass: string, mayLive: boolean): boolean {
    const taken = [...this.sessions.values()].filter(
      (one) => (mayLive ? this.mayLiveUntil(one) : one.expiresAt) > now && one.intentClass === intentClass,
    );
    return intentClass === 'PILOT' && taken.length >= PILOT_BUDGET;
  }

  kept(now: number, requestId: string, mayLive = false) {
    const admission = this.admissions.get(requestId);
    const session = this.sessions.get(admission?.sessionId ?? '');
    const end = session === undefined ? 0 : mayLive ? this.mayLiveUntil(session) : session.expiresAt;
    return admission && end + 600_000 > now ? admission : null;
  }
}

const intentClass = fc.constantFrom('PILOT' as const, 'GUEST' as const);
const side = fc.constantFrom('buy' as const, 'sell' as const);
const vertical = fc.constantFrom('loans', 'maps');
const terms: fc.Arbitrary<Terms> = fc.record(
  { intentClass, side, vertical },
  { requiredKeys: ['intentClass', 'side'] },
);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('admit' as const),
      terms,
      berth: fc.nat({ max: 3 }),
      request: fc.nat({ max: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('heartbeat' as const), session: fc.nat({ max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 14_999, 15_000, 60_000, 60_000, 90_000, 119_999, 120_000, 120_001, 599_999),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'evict' as const }) },
);
const queries = [undefined, 'buy', 'sell'].flatMap((side) =>
  [undefined, 'loans'].map((vertical) => ({ side, vertical })),
);

let door: TestDoor;
let berths: TestBerth[];
beforeAll(async () => {
  door = await createTestDoor();
  berths = await Promise.all(Array.from({ length: 4 }, newBerth));
});

it(`does what the model does, in ${SEQUENCES} random sequences`, { timeout: 300_000 }, async () => {
  let sequence = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14, size: 'max' }), async (steps) => {
      sequence += 1;
      const model = new Model();
      door.clock.advance(136_000);
      for (const one of steps) {
        const now = door.clock.now();
        switch (one.do) {
          case 'admit':
            await admit(model, one.terms, berths[one.berth] as TestBerth, `model-${sequence}-${one.request}`);
            break;
          case 'heartbeat': {
            const known = [...model.sessions];
            const [sessionId, session] = known[one.session % known.length] ?? [];
            if (sessionId === undefined || session === undefined) break;
            const { status } = await door.heartbeat(sessionId);
            if (session.expiresAt > now) expect(status).toBe(200);
            if (now >= model.mayLiveUntil(session)) expect(status).toBe(404);
            if (status === 200)
              Object.assign(session, { expiresAt: now + 120_000, heardAfter: model.evictions });
            else session.isGone = true;
            break;
          }
          case 'wait':
            door.clock.advance(one.ms);
            break;
          case 'evict':
            await abortAllDurableObjects();
            model.evictions++;
            model.evictedAt = now;
        }
      }
      for (const { side, vertical } of queries) {
        const given = Object.entries({ class: 'GUEST', side, vertical }).filter(([, value]) => value);
        const depth = await door.live(String(new URLSearchParams(given as [string, string][])));
        model.expectDepth(depth, door.clock.now(), {
          intentClass: 'GUEST',
          ...(side ? { side } : {}),
          ...(vertical ? { vertical } : {}),
        });
      }
    }),
    { numRuns: SEQUENCES },
  );
});

async function admit(model: Model, terms: Terms, berth: TestBerth, requestId: string): Promise<void> {
  const now = door.clock.now();
  const reply = await door.admit(berth, { ...terms, requestId });
  const termsText = JSON.stringify([berth.berthKey, terms.intentClass, terms.side, terms.vertical]);
  const earlier = model.kept(now, requestId) ?? model.kept(now, requestId, true);
  const isRepeated = reply.text === earlier?.text || reply.body.code === 'IDENTIFIER_CONFLICT';
  if (earlier !== null && (isRepeated || model.kept(now, requestId) !== null)) {
    const isSame = earlier.terms === termsText;
    expect([reply.status, isSame ? reply.text : reply.body.code]).toEqual(
      isSame ? [200, earlier.text] : [409, 'IDENTIFIER_CONFLICT'],
    );
    return;
  }
  if (
    reply.status === 429
      ? model.isFull(now, terms.intentClass, true)
      : model.isFull(now, terms.intentClass, false)
  ) {
    expect([reply.status, reply.body.code]).toEqual([429, 'CAPACITY_EXHAUSTED']);
    return;
  }
  const { intentClass, vertical } = terms;
  const otherSide = terms.side === 'buy' ? 'sell' : 'buy';
  const query = { intentClass, side: otherSide, except: berth.berthKey, ...(vertical ? { vertical } : {}) };
  expect(reply.status, reply.text).toBe(200);
  model.expectDepth(reply.body.depth.live_counterparties, now, query);
  expect(Date.parse(reply.body.expiresAt)).toBe(now + 120_000);
  const { sessionId } = reply.body;
  expect(model.sessions.has(sessionId)).toBe(false);
  model.sessions.set(sessionId, {
    ...terms,
    berthKey: berth.berthKey,
    expiresAt: now + 120_000,
    heardAfter: model.evictions,
    isGone: false,
  });
  model.admissions.set(requestId, { terms: termsText, text: reply.text, sessionId });
}
