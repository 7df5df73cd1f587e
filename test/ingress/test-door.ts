import { env } from 'cloudflare:workers';
import { doorOriginOf, doorRuntimeFor } from '@agent-marketplace/core/compose/door-runtime.ts';
import type { Door } from '@agent-marketplace/core/kernel/ports/ingress.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { FakeClock } from '@agent-marketplace/core/testing/doubles/fake-clock.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import type { DoorBindings } from '../../workers/ingress/src/bindings.ts';
import { ALL_KEYS, createDoor } from '../../workers/ingress/src/door.ts';
import { newBerth, type SignedTerms, signedBody, type TestBerth } from './berth.ts';

export const doorBindings = env as unknown as DoorBindings;

export interface DoorReply {
  readonly status: number;
  readonly headers: Headers;
  /** Without provenance, which was checked. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as strangers do, untyped.
  readonly body: any;
  readonly text: string;
}

export type AdmitChanges = Partial<Omit<SignedTerms, 'berthKey'>>;

export type TestDoor = Awaited<ReturnType<typeof createTestDoor>>;

/** The door with its real objects, at a time that the test sets. `changeDoor` puts faults in its way. */
export async function createTestDoor(
  changeDoor: (door: Door) => Door = (door) => door,
  bindings: DoorBindings = doorBindings,
) {
  await doorBindings.KEYS.getByName(ALL_KEYS).storeKeys([]);
  // Garbage is collected by the real clock: whatever a test stores must not be old by it.
  const clock = new FakeClock(Date.now());
  const cache = createAnswerCache(() => clock.now());
  const app = createApiApp(ingressOperations, API_ROOT, cache);
  let count = 0;

  async function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const request = new Request(`http://localhost${API_ROOT}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const runtime = doorRuntimeFor(bindings, { waitUntil: () => {} }, changeDoor(createDoor(bindings)), {
      clock,
    });
    const scope = { runtime, origin: doorOriginOf(bindings, request, runtime.ports) };
    const response = await app.fetch(request, { scope });
    const signed = await readSigned(response.clone());
    return { status: response.status, headers: response.headers, body: signed.body, text: signed.text };
  }

  const door = {
    clock,
    get: (path: string, headers?: Record<string, string>): Promise<DoorReply> =>
      request('GET', path, undefined, headers),
    post: (path: string, body: unknown, headers?: Record<string, string>): Promise<DoorReply> =>
      request('POST', path, body, headers),

    nextRequestId: () => `request-${crypto.randomUUID()}-${count++}`,

    async body(berth: TestBerth, changes: AdmitChanges = {}) {
      return signedBody(berth, {
        intentClass: 'COMMERCE',
        requestId: door.nextRequestId(),
        side: 'buy',
        ts: Math.floor(clock.now() / 1000),
        ...changes,
      });
    },

    /** Signs what is changed, and sends it. */
    async admit(berth: TestBerth, changes?: AdmitChanges): Promise<DoorReply> {
      return door.post('/ingress/admit', await door.body(berth, changes));
    },

    /** An agent that was let in. */
    async enter(changes?: AdmitChanges) {
      const berth = await newBerth();
      const reply = await door.admit(berth, changes);
      if (reply.status !== 200) throw new Error(reply.text);
      return { berth, sessionId: reply.body.sessionId as string, receipt: reply.body };
    },

    heartbeat: (sessionId: unknown): Promise<DoorReply> => door.post('/ingress/heartbeat', { sessionId }),

    async live(query = 'class=COMMERCE'): Promise<number> {
      return (await door.get(`/ingress/occupancy?${query}`)).body.live_counterparties as number;
    },

    /** Later than any session lasts, also after an eviction. */
    empty: () => clock.advance(136_000),
  };
  return door;
}
