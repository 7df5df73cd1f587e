import { abortAllDurableObjects } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommitBatcher } from '../../workers/ingress/src/commit-batcher.ts';
import { newBerth } from '../ingress/berth.ts';
import { createTestDoor, type TestDoor } from '../ingress/test-door.ts';

// Invariants 16 and 17, for calls that come at the same moment and share a commit.

const AT_ONCE = 40;
let door: TestDoor;
beforeAll(async () => {
  door = await createTestDoor();
});
beforeEach(() => door.empty());

const many = <T>(make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, n) => make(n)));

it('admissions at once are one session each, kept through an eviction', async () => {
  const entered = await many(() => door.enter());
  expect(new Set(entered.map(({ sessionId }) => sessionId)).size).toBe(AT_ONCE);
  await abortAllDurableObjects();
  expect(await door.live()).toBe(AT_ONCE);
});

it('one admission sent many times at once is one session, and the same answer to the byte', async () => {
  const body = await door.body(await newBerth());
  const replies = await many(() => door.post('/ingress/admit', body));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(await door.live()).toBe(1);
});

it('heartbeats at once are each answered for their own session, and none is forgotten', async () => {
  const entered = await many(() => door.enter());
  door.clock.advance(100_000);
  const beating = entered.slice(0, AT_ONCE / 2);
  const [replies, gone] = await Promise.all([
    Promise.all(beating.map(({ sessionId }) => door.heartbeat(sessionId))),
    door.heartbeat('COMMERCE-0-00000000-0000-4000-8000-000000000000'),
  ]);
  const expiresAt = new Date(door.clock.now() + 120_000).toISOString();
  expect(replies.map(({ body }) => body)).toEqual(
    beating.map(({ sessionId }) => ({ ok: true, sessionId, expiresAt })),
  );
  expect(gone.status).toBe(404);
  // A heartbeat after their interval completes its row.
  door.clock.advance(15_000);
  await door.heartbeat(beating[0]?.sessionId);
  await abortAllDurableObjects();
  door.clock.advance(104_999);
  expect(await door.live()).toBe(AT_ONCE / 2);
  door.clock.advance(1);
  expect(await door.live()).toBe(1);
});

it('a full class lets in as many as it has room for, whoever comes at once', async () => {
  const bodies = await many(async () => door.body(await newBerth(), { intentClass: 'PILOT' }));
  const replies = await Promise.all(bodies.map((body) => door.post('/ingress/admit', body)));
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, ...Array.from({ length: AT_ONCE - 3 }, () => 429)]);
});

describe('what waits together', () => {
  it('runs in one turn, in order, and one that fails fails alone', async () => {
    const together = new CommitBatcher();
    const ran: string[] = [];
    const note = (what: string) => () => {
      ran.push(what);
      queueMicrotask(() => ran.push(`after ${what}`));
      return what;
    };
    const results = await Promise.allSettled([
      together.run(note('a')),
      together.run(() => {
        throw new Error('broken');
      }),
      together.run(note('b')),
    ]);
    expect(ran).toEqual(['a', 'b', 'after a', 'after b']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await together.run(note('c'))).toBe('c');
  });
});
