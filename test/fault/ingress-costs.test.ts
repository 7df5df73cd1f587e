import { runInDurableObject } from 'cloudflare:test';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { beforeAll, expect, it } from 'vitest';
import security from '../../docs/security.md?raw';
import type { AdmissionsStub } from '../../workers/ingress/src/bindings.ts';
import { newBerth } from '../ingress/berth.ts';
import { admissionsOf, faulty, rebind, sessionsOf } from '../ingress/faults.ts';
import { createTestDoor, type DoorReply, doorBindings, type TestDoor } from '../ingress/test-door.ts';

// What one request at the door costs: calls of its objects, and rows of their storage. No request needs a key.

const admissions = faulty(doorBindings.ADMISSIONS, []);
const sessions = faulty(doorBindings.SESSIONS, []);
const keys = faulty(doorBindings.KEYS, []);
let door: TestDoor;
beforeAll(async () => {
  door = await createTestDoor(undefined, {
    ...doorBindings,
    ADMISSIONS: admissions.namespace as { getByName(name: string): AdmissionsStub },
    SESSIONS: sessions.namespace,
    KEYS: keys.namespace,
  });
});

type Stub = ReturnType<typeof admissionsOf> | ReturnType<typeof sessionsOf>;
interface Rows {
  read: number;
  written: number;
}

/** Counts from now on what the object's statements touch, and gives the count so far. */
async function watch(stub: Stub): Promise<() => Promise<Rows>> {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  await runInDurableObject(stub as ReturnType<typeof sessionsOf>, (_, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    Object.defineProperty(sql, 'exec', {
      configurable: true,
      value: (...args: Parameters<typeof exec>) => {
        const cursor = exec(...args);
        cursors.push(cursor as (typeof cursors)[number]);
        return cursor;
      },
    });
  });
  return () =>
    runInDurableObject(stub as ReturnType<typeof sessionsOf>, () => ({
      read: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
      written: cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    }));
}

/** The dearest request of an operation; the requestId whose object keeps records of it. */
async function prepare(name: string, path: string) {
  if (name === 'admit') {
    const body = await door.body(await newBerth());
    return { requestId: body.requestId, ask: () => door.post(path, body) };
  }
  if (name === 'heartbeat') {
    const { sessionId } = await door.enter();
    return { requestId: door.nextRequestId(), ask: () => door.heartbeat(sessionId) };
  }
  return { requestId: door.nextRequestId(), ask: (): Promise<DoorReply> => door.get(path) };
}

async function line({ name, http, rate }: (typeof ingressOperations)[number]): Promise<string> {
  const { requestId, ask } = await prepare(name, http.path);
  await rebind(requestId, { SESSIONS: sessions.namespace });
  const counts = await Promise.all([admissionsOf(requestId), sessionsOf('COMMERCE')].map(watch));
  for (const { calls } of [admissions, sessions, keys]) calls.length = 0;
  const { status, text } = await ask();
  expect(status, text).toBe(200);
  const calls = [admissions, sessions, keys].reduce((sum, { calls }) => sum + calls.length, 0);
  const rows = await Promise.all(counts.map((count) => count()));
  const sum = (part: keyof Rows) => rows.reduce((total, one) => total + one[part], 0);
  return `| ${http.method.toUpperCase()} ${http.path} | ${calls} | ${sum('read')} | ${sum('written')} | \`${rate}\` by the minute |`;
}

it('docs/security.md has the figures', async () => {
  const operations = ingressOperations.filter(({ auth }) => auth === 'none');
  expect(operations).toHaveLength(ingressOperations.length);
  // Objects that were never asked make their tables, and load what is live.
  await door.live('');
  await door.enter();
  const lines: string[] = [];
  for (const operation of operations) lines.push(await line(operation));
  const table = [
    '| operation of the door | object calls | rows read | rows written | what limits it |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
  expect(security, `Put this into docs/security.md:\n${table}\n`).toContain(table);
});
