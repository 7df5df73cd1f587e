import { doorIsolateOf, doorOriginOf, doorRuntimeFor } from '@agent-marketplace/core/compose/door-runtime.ts';
import {
  admissionAnswer,
  depthReading,
  otherSide,
  sessionIdOf,
} from '@agent-marketplace/core/ingress/index.ts';
import type { Clock } from '@agent-marketplace/core/kernel/ports/clock.ts';
import type { Door } from '@agent-marketplace/core/kernel/ports/ingress.ts';
import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import {
  TEST_DOOR_VARIABLES,
  TEST_OTHER_SIGNING_KEY,
} from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { fromBase64Url, toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { signedBody } from './berth.ts';

const SESSION_MS = 120_000;

/**
 * The door's operations with one agent inside, for their examples. What it remembers is made up, so that it needs no
 * objects; its answers are made and signed as the door's are.
 */
export function createRecordedDoor(clock: Clock, baseUrl: string) {
  const bindings = { ...TEST_DOOR_VARIABLES, PUBLIC_BASE_URL: baseUrl };
  const { signers } = doorIsolateOf(bindings);
  const sessionId = sessionIdOf(
    { intentClass: 'COMMERCE', shard: 0 },
    '5f0c2a7e-9b1d-4836-8a52-0c6d1e7f3b94',
  );
  const door: Door = {
    status: 'open',
    signer: signers.door,
    publishedKeys: async () => [
      { ...(await signers.door.activeKey()), validFrom: isoTime(clock.now()), retiredAt: null },
    ],
    async admit(request) {
      const { intentClass, side, vertical } = request.terms;
      const depth = depthReading({ intentClass, side: otherSide(side), vertical }, 1);
      const admission = { sessionId, expiresAt: request.now + SESSION_MS, depth };
      const answer = await admissionAnswer(signers, request, admission);
      return { kind: 'admitted', ...answer, replayed: false };
    },
    heartbeat: async (_, now) => ({ kind: 'live', expiresAt: now + SESSION_MS }),
    countLive: async () => 1,
  };
  const app = createApiApp(
    ingressOperations,
    API_ROOT,
    createAnswerCache(() => clock.now()),
  );
  return {
    sessionId,
    async request(
      method: string,
      path: string,
      { body }: { readonly body?: object } = {},
    ): Promise<Response> {
      const request = new Request(baseUrl + path, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const runtime = doorRuntimeFor(bindings, { waitUntil: () => {} }, door, { clock });
      const scope = { runtime, origin: doorOriginOf(bindings, request, runtime.ports) };
      return app.fetch(request, { scope });
    },
    /** What an agent sends whose key stays the same. */
    async admission() {
      const jwk = JSON.parse(TEST_OTHER_SIGNING_KEY) as { x: string };
      const key = await crypto.subtle.importKey('jwk', jwk as JsonWebKey, 'Ed25519', false, ['sign']);
      const berth = {
        berthKey: toHex(fromBase64Url(jwk.x) ?? new Uint8Array()),
        sign: async (text: string) =>
          toHex(new Uint8Array(await crypto.subtle.sign('Ed25519', key, utf8(text)))),
      };
      const ts = Math.floor(clock.now() / 1000);
      return signedBody(berth, { intentClass: 'COMMERCE', requestId: 'tide-watcher-1', side: 'buy', ts });
    },
  };
}
