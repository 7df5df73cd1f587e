import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { createSigner } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { TEST_OTHER_SIGNING_KEY } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import type { PublicKey } from '@agent-marketplace/protocol/crypto/signer.ts';
import { keySetOf, verifyAdmission } from '@agent-marketplace/sdk';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ALL_KEYS } from '../../workers/ingress/src/door.ts';
import { createSessionObjects } from '../../workers/ingress/src/session-objects.ts';
import { clause } from '../conformance/clause.ts';
import { newBerth } from '../ingress/berth.ts';
import {
  admissionsOf,
  broken,
  faulty,
  type ObjectFault,
  overloaded,
  rebind,
  retryable,
  sessionsOf,
  sqlIn,
} from '../ingress/faults.ts';
import { createTestDoor, type DoorReply, doorBindings, type TestDoor } from '../ingress/test-door.ts';

// Invariants 16, 17 and 20: what the door does while parts of it fail.

let door: TestDoor;
beforeAll(async () => {
  door = await createTestDoor();
});
beforeEach(() => door.empty());
afterEach(() => abortAllDurableObjects());

function expectUnavailable(reply: DoorReply): void {
  expect([reply.status, reply.body.type, reply.body.code]).toEqual([503, 'REFUSE', 'COMPONENT_UNAVAILABLE']);
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(reply.body).toMatchObject({ retryable: true, signature: expect.any(String) });
}

describe('the object of the requestId', () => {
  const cases: [string, ObjectFault[], number, number][] = [
    ['throws', [{ when: 'before', error: broken() }], 503, 1],
    ['throws after its work', [{ when: 'after', error: broken() }], 503, 1],
    ['is moved', [{ when: 'before', error: retryable() }], 200, 2],
    ['is moved after its work', [{ when: 'after', error: retryable() }], 200, 2],
    [
      'is moved twice',
      [
        { when: 'before', error: retryable() },
        { when: 'after', error: retryable() },
      ],
      503,
      2,
    ],
    ['is overloaded', [{ when: 'before', error: overloaded() }], 503, 1],
  ];
  clause('ingress.unavailable', 'errors.503-unavailable');
  it.each(cases)('%s: %#', async (_, faults, status, calls) => {
    const admissions = faulty(doorBindings.ADMISSIONS, [...faults]);
    const failing = await createTestDoor(undefined, { ...doorBindings, ADMISSIONS: admissions.namespace });
    failing.clock.set(door.clock.now());
    const body = await failing.body(await newBerth(), { intentClass: 'PILOT' });
    const reply = await failing.post('/ingress/admit', body);
    if (status === 503) expectUnavailable(reply);
    expect([reply.status, admissions.calls.length]).toEqual([status, calls]);

    const again = await door.post('/ingress/admit', body);
    expect(again.status).toBe(200);
    if (status === 200) expect(again.text).toBe(reply.text);
    expect(await door.live('class=PILOT')).toBe(1);
  });
});

describe('the object of the class', () => {
  const cases: [string, ObjectFault[], number][] = [
    ['throws', [{ when: 'before', error: broken() }], 503],
    ['throws after it admitted', [{ when: 'after', error: broken() }], 503],
    ['is moved after it admitted', [{ when: 'after', error: retryable() }], 200],
    ['is overloaded', [{ when: 'before', error: overloaded() }], 503],
  ];
  it.each(cases)('%s: the retry takes no second place', async (_, faults, status) => {
    const body = await door.body(await newBerth(), { intentClass: 'PILOT' });
    const { namespace } = faulty(doorBindings.SESSIONS, [...faults]);
    await rebind(body.requestId, { SESSIONS: namespace });
    const reply = await door.post('/ingress/admit', body);
    if (status === 503) expectUnavailable(reply);
    expect(reply.status).toBe(status);

    const again = await door.post('/ingress/admit', body);
    expect(again.status).toBe(200);
    expect(await door.live('class=PILOT')).toBe(1);
    // The budget is 3: two more fit, and no third.
    const more = [await door.admit(await newBerth(), { intentClass: 'PILOT' })];
    more.push(await door.admit(await newBerth(), { intentClass: 'PILOT' }));
    more.push(await door.admit(await newBerth(), { intentClass: 'PILOT' }));
    expect(more.map((one) => one.status)).toEqual([200, 200, 429]);
  });

  it('is down: heartbeats and readings say so, and nothing is made up', async () => {
    const { sessionId } = await door.enter();
    const faults = Array.from({ length: 2 }, () => ({ when: 'before' as const, error: broken() }));
    const { namespace } = faulty(doorBindings.SESSIONS, faults);
    const failing = await createTestDoor(undefined, { ...doorBindings, SESSIONS: namespace });
    failing.clock.set(door.clock.now());
    for (const reply of [
      await failing.heartbeat(sessionId),
      await failing.get('/ingress/occupancy?class=GUEST'),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([503, 'service_unavailable']);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    expect((await failing.heartbeat(sessionId)).status).toBe(200);
  });
});

describe('an answer that cannot be kept', () => {
  clause('ingress.unavailable');
  it('is not given; the same requestId works once it can be', async () => {
    const body = await door.body(await newBerth(), { intentClass: 'PILOT' });
    const { requestId } = body;
    await door.post('/ingress/admit', await door.body(await newBerth(), { requestId: `${requestId}-other` }));
    await sqlIn(admissionsOf(requestId), 'ALTER TABLE admissions RENAME TO hidden');
    expectUnavailable(await door.post('/ingress/admit', body));
    await sqlIn(admissionsOf(requestId), 'ALTER TABLE hidden RENAME TO admissions');
    const reply = await door.post('/ingress/admit', body);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('idempotency-replayed')).toBeNull();
    expect((await door.post('/ingress/admit', body)).text).toBe(reply.text);
    expect(await door.live('class=PILOT')).toBe(1);
  });
});

describe('eviction', () => {
  it('changes no replay by a byte, and no depth', async () => {
    const body = await door.body(await newBerth());
    const first = await door.post('/ingress/admit', body);
    await door.enter();
    await abortAllDurableObjects();
    expect((await door.post('/ingress/admit', body)).text).toBe(first.text);
    expect(await door.live()).toBe(2);
    await abortAllDurableObjects();
    expect((await door.heartbeat(first.body.sessionId)).status).toBe(200);
  });

  it('forgets no heartbeat', async () => {
    const { sessionId } = await door.enter();
    door.clock.advance(100_000);
    await door.heartbeat(sessionId);
    await abortAllDurableObjects();
    door.clock.advance(119_999);
    expect(await door.live()).toBe(1);
    expect((await door.heartbeat(sessionId)).status).toBe(200);
  });

  clause('ingress-states.re-admit');
  it('raises nobody', async () => {
    await door.enter();
    door.clock.advance(120_000);
    await abortAllDurableObjects();
    expect(await door.live()).toBe(0);
  });

  it('in the middle of admissions leaves each done or not done, and to be repeated', async () => {
    const bodies = await Promise.all(
      Array.from({ length: 12 }, async () => door.body(await newBerth(), { intentClass: 'GUEST' })),
    );
    const inFlight = bodies.map((body) => door.post('/ingress/admit', body));
    await abortAllDurableObjects();
    const replies = await Promise.all(inFlight);
    for (const [index, body] of bodies.entries()) {
      const reply = replies[index] as DoorReply;
      expect([200, 503]).toContain(reply.status);
      const again = await door.post('/ingress/admit', body);
      expect(again.status).toBe(200);
      if (reply.status === 200) expect(again.text).toBe(reply.text);
    }
    expect(await door.live('class=GUEST')).toBe(12);
  });
});

describe('the object of the public keys down', () => {
  it('changes nothing of admission, heartbeats and depth', async () => {
    const { namespace: KEYS } = faulty(doorBindings.KEYS, [{ when: 'before', error: broken() }]);
    const failing = await createTestDoor(undefined, { ...doorBindings, KEYS });
    failing.clock.set(door.clock.now());
    const { sessionId } = await failing.enter();
    expect((await failing.heartbeat(sessionId)).status).toBe(200);
    expect(await failing.live()).toBe(1);
    expect((await failing.get('/ingress/keys')).status).toBe(503);
  });
});

describe('a new key of the door', () => {
  it('signs what is new; replays stay as they were, and the old key stays listed', async () => {
    const body = await door.body(await newBerth());
    const { requestId } = body;
    const first = await door.post('/ingress/admit', body);
    const rotated = { ...doorBindings, INGRESS_SIGNING_KEY: TEST_OTHER_SIGNING_KEY };
    await rebind(requestId, { INGRESS_SIGNING_KEY: TEST_OTHER_SIGNING_KEY });
    const after = await createTestDoor(undefined, rotated);
    after.clock.set(door.clock.now());
    const [old, active] = await Promise.all(
      [doorBindings, rotated].map(({ INGRESS_SIGNING_KEY = '' }) =>
        createSigner(INGRESS_SIGNING_KEY).activeKey(),
      ),
    );
    const [before, now] = [isoTime(door.clock.now() - 1), isoTime(door.clock.now())];
    await doorBindings.KEYS.getByName(ALL_KEYS).storeKeys([
      { ...(active as PublicKey), validFrom: now, retiredAt: null },
      { ...(old as PublicKey), validFrom: before, retiredAt: now },
    ]);
    expect((await after.post('/ingress/admit', body)).text).toBe(first.text);

    const refused = await after.post('/ingress/admit', { ...body, ts: 0 });
    expect(refused.body.keyId).not.toBe(first.body.keyId);
    const keys = (await after.get('/ingress/keys')).body;
    expect(keys.keys.map(({ keyId, status }: Record<string, string>) => [keyId, status])).toEqual([
      [refused.body.keyId, 'active'],
      [first.body.keyId, 'retired'],
    ]);
    const schedule = (await after.get('/ingress/schedule')).body;
    for (const receipt of [first.body, refused.body]) {
      expect((await verifyAdmission(receipt, keySetOf(keys), schedule)).valid).toBe(true);
    }
  });
});

describe('a class over several objects', () => {
  it('is counted and found as one', async () => {
    const capacity = { COMMERCE: 0, RESEARCH: 0, FOUNDING: 0, SETTLEMENT: 0, PILOT: 0, GUEST: 80 };
    // However their keys fall, twenty berths fill no object.
    const sessions = createSessionObjects(doorBindings.SESSIONS, { shards: 4, capacity });
    const now = door.clock.now();
    const ids: string[] = [];
    const depths: number[] = [];
    for (let n = 0; n < 20; n++) {
      const { berthKey } = await newBerth();
      const side = n % 2 === 0 ? ('buy' as const) : ('sell' as const);
      const terms = { berthKey, intentClass: 'GUEST', side, vertical: null };
      const answer = await sessions.admit({
        requestId: `shard-${n}`,
        terms,
        isFresh: true,
        now,
        baseUrl: '',
      });
      if (answer.kind !== 'admitted') throw new Error(answer.kind);
      ids.push(answer.sessionId);
      depths.push(answer.depth.live_counterparties);
    }
    expect(new Set(ids.map((id) => id.split('-')[1])).size).toBeGreaterThan(1);
    expect(depths).toEqual(Array.from({ length: 20 }, (_, n) => Math.ceil(n / 2)));
    const all = { side: null, vertical: null, except: null };
    expect(await sessions.countLive('GUEST', all, now)).toBe(20);
    for (const id of ids) expect(await sessions.heartbeat(id, now + 1)).toMatchObject({ kind: 'live' });
    expect(await sessions.endsOf(ids)).toEqual(ids.map(() => now + 120_001));
  });
});

describe('garbage', () => {
  const HOUR = 3_600_000;

  it('is collected by alarms, and only garbage', async () => {
    const real = Date.now();
    const past = await createTestDoor();
    past.clock.set(real - HOUR);
    const berth = await newBerth();
    const old = await past.body(berth, { intentClass: 'RESEARCH' });
    await past.post('/ingress/admit', old);
    const kept = await past.body(berth, { intentClass: 'RESEARCH', requestId: old.requestId.slice(0, -1) });
    const { body: keptReceipt } = await past.post('/ingress/admit', kept);
    // Kept alive to this day, so its requestId must be kept too.
    for (; past.clock.now() < real; past.clock.advance(100_000)) await past.heartbeat(keptReceipt.sessionId);

    await runDurableObjectAlarm(sessionsOf('RESEARCH'));
    for (const { requestId } of [old, kept]) await runDurableObjectAlarm(admissionsOf(requestId));
    const rows = await sqlIn(sessionsOf('RESEARCH'), 'SELECT request_id FROM admitted');
    expect(rows).toEqual([{ request_id: kept.requestId }]);
    const count = 'SELECT COUNT(*) AS n FROM admissions WHERE request_id =';
    expect(await sqlIn(admissionsOf(old.requestId), `${count} '${old.requestId}'`)).toEqual([{ n: 0 }]);
    expect(await sqlIn(admissionsOf(kept.requestId), `${count} '${kept.requestId}'`)).toEqual([{ n: 1 }]);
  });
});
