import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { beforeAll, expect, it } from 'vitest';
import type { AdmissionsStub } from '../../workers/ingress/src/bindings.ts';
import type { NewSession, SessionsObject } from '../../workers/ingress/src/sessions.do.ts';
import { newBerth } from '../ingress/berth.ts';
import { faulty, rebind, sessionsOf } from '../ingress/faults.ts';
import { createTestDoor, doorBindings, type TestDoor } from '../ingress/test-door.ts';

// "Cost must not grow with the sessions." Work is counted, not timed: rows that SQL touches, object calls.

const TTL_MS = 120_000;
let door: TestDoor;
beforeAll(async () => {
  door = await createTestDoor();
});

/** Sessions that were admitted a moment ago, put straight into the object's rows; then it wakes anew. */
async function fill(intentClass: string, sessions: number): Promise<void> {
  const now = door.clock.now();
  await runInDurableObject(sessionsOf(intentClass), (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO admitted (request_id, token, berth_key, side, vertical, admitted_at)
        SELECT 'fill-' || i, printf('00000000-0000-4000-8000-%012x', i), printf('%064x', i),
          CASE i % 2 WHEN 0 THEN 'buy' ELSE 'sell' END, NULL, ? FROM n`,
      sessions,
      now,
    );
  });
  await abortAllDurableObjects();
}

interface Work {
  rowsRead: number;
  rowsWritten: number;
}

/** Rows that one call of an object touches. */
async function workOf(intentClass: string, call: (object: SessionsObject) => unknown): Promise<Work> {
  return runInDurableObject(sessionsOf(intentClass), async (object, { storage }) => {
    const work: Work = { rowsRead: 0, rowsWritten: 0 };
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    Object.defineProperty(sql, 'exec', {
      configurable: true,
      value: (...args: Parameters<typeof exec>) => {
        const cursor = exec(...args);
        cursors.push(cursor as (typeof cursors)[number]);
        return cursor;
      },
    });
    try {
      await call(object);
    } finally {
      Object.defineProperty(sql, 'exec', { configurable: true, value: exec });
    }
    for (const { rowsRead, rowsWritten } of cursors) {
      work.rowsRead += rowsRead;
      work.rowsWritten += rowsWritten;
    }
    expect(cursors.length).toBeLessThan(5);
    return work;
  });
}

const newSession = (n: number): NewSession => ({
  requestId: `new-${n}`,
  berthKey: `${n}`.padStart(64, 'f'),
  side: 'buy',
  vertical: null,
});

async function workAt(intentClass: string, sessions: number) {
  await fill(intentClass, sessions);
  const now = door.clock.now();
  const all = { side: null, vertical: null, except: null };
  const waking = await workOf(intentClass, (object) => expect(object.count(all, now)).toBe(sessions));
  const token = '00000000-0000-4000-8000-000000000007';
  return {
    waking,
    count: await workOf(intentClass, (object) => object.count({ ...all, side: 'sell' }, now + 1)),
    heartbeat: await workOf(intentClass, (object) => object.heartbeat(token, now + 1)),
    heard: await workOf(intentClass, (object) => object.heartbeat(token, now + 2)),
    admit: await workOf(intentClass, (object) => object.admit(newSession(1), 100_000, now + 2)),
    retry: await workOf(intentClass, (object) => object.admit(newSession(1), 100_000, now + 2)),
    expired: await workOf(intentClass, (object) => expect(object.count(all, now + TTL_MS)).toBe(2)),
  };
}

it('touches as many rows with 50,000 live sessions as with 1,000', { timeout: 60_000 }, async () => {
  const { waking: few, ...thousand } = await workAt('RESEARCH', 1000);
  const { waking: many, ...fifty } = await workAt('COMMERCE', 50_000);
  expect(fifty).toEqual(thousand);
  expect(fifty.count).toEqual({ rowsRead: 0, rowsWritten: 0 });
  expect(fifty.heartbeat).toEqual({ rowsRead: 1, rowsWritten: 1 });
  expect(fifty.heard).toEqual({ rowsRead: 0, rowsWritten: 0 });
  expect(fifty.admit).toEqual({ rowsRead: 1, rowsWritten: 1 });
  // Only waking reads what is live, once.
  expect([few.rowsRead, many.rowsRead].map((rows) => Math.round(rows / 1000))).toEqual([1, 50]);
});

it('stores the heartbeats of 50,000 sessions in a row each 15 seconds, and finds them after an eviction', {
  timeout: 60_000,
}, async () => {
  await fill('SETTLEMENT', 50_000);
  const all = { side: null, vertical: null, except: null };
  const object = sessionsOf('SETTLEMENT');
  const tokens = Array.from(
    { length: 50_000 },
    (_, n) => `00000000-0000-4000-8000-${(n + 1).toString(16).padStart(12, '0')}`,
  );
  let now = door.clock.now();
  await runInDurableObject(object, (instance) => instance.count(all, now));
  const { rowsWritten } = await workOf('SETTLEMENT', (object) => {
    // A heartbeat of each within a minute, and a reading a second.
    for (const [n, token] of tokens.entries()) {
      object.heartbeat(token, now + Math.floor((n * 60_000) / tokens.length));
      if (n % 833 === 0) object.count(all, now);
    }
  });
  expect(rowsWritten).toBe(4);
  now += 60_000;
  // A reading after the interval completes its row, too: nothing is lost then.
  expect(await object.count(all, now)).toBe(50_000);
  await abortAllDurableObjects();
  await runInDurableObject(sessionsOf('SETTLEMENT'), (instance) => {
    expect(instance.count(all, now + 59_999)).toBe(50_000);
    // The last was heard 2 ms before.
    expect(instance.count(all, now + TTL_MS - 3)).toBe(1);
    expect(instance.count(all, now + TTL_MS - 2)).toBe(0);
  });
});

it('takes two object calls to admit, one for a heartbeat and for a reading', async () => {
  const calls: string[][] = [];
  const admissions = faulty(doorBindings.ADMISSIONS, []);
  const sessions = faulty(doorBindings.SESSIONS, []);
  const counted = await createTestDoor(undefined, {
    ...doorBindings,
    ADMISSIONS: admissions.namespace as { getByName(name: string): AdmissionsStub },
    SESSIONS: sessions.namespace,
  });
  counted.clock.set(door.clock.now() + 1);
  const body = await counted.body(await newBerth());
  await rebind(body.requestId, { SESSIONS: sessions.namespace });
  const note = async (act: () => Promise<unknown>) => {
    await act();
    calls.push(
      [...admissions.calls.splice(0), ...sessions.calls.splice(0)].map((call) => call.replace(/^\d+/, '#')),
    );
  };
  let sessionId = '';
  await note(async () => {
    sessionId = (await counted.post('/ingress/admit', body)).body.sessionId;
  });
  await note(() => counted.post('/ingress/admit', body));
  await note(() => counted.heartbeat(sessionId));
  await note(() => counted.live());
  await note(() => counted.post('/ingress/admit', { ...body, ts: 1 }));
  await note(() => counted.heartbeat('no-such-session'));
  expect(calls).toEqual([
    ['#.admit', 'COMMERCE:0.admit'],
    ['#.admit'],
    ['COMMERCE:0.heartbeat'],
    ['COMMERCE:0.count'],
    [],
    [],
  ]);
});
