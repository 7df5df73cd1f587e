import { WorkerEntrypoint } from 'cloudflare:workers';
import type { DepthService } from '@agent-marketplace/core/adapters/services/remote-depth.ts';
import { systemClock } from '@agent-marketplace/core/adapters/system/system-clock.ts';
import { doorIsolateOf, doorOriginOf, doorRuntimeFor } from '@agent-marketplace/core/compose/door-runtime.ts';
import { readDepth } from '@agent-marketplace/core/ingress/index.ts';
import type { DepthQuery, DepthReading, DoorKeys } from '@agent-marketplace/core/kernel/ports/ingress.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { createAnswerCache } from '@agent-marketplace/core/transport/http/answer-cache.ts';
import { createApiApp } from '@agent-marketplace/core/transport/http/app.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import type { PublishedKey } from '@agent-marketplace/protocol/crypto/signer.ts';
import { AdmissionsObject } from './admissions.do.ts';
import type { DoorBindings } from './bindings.ts';
import { ALL_KEYS, createDoor } from './door.ts';
import { KeysObject } from './keys.do.ts';
import { SessionsObject } from './sessions.do.ts';

const cache = createAnswerCache(systemClock.now);
const app = createApiApp(ingressOperations, API_ROOT, cache);

export default class IngressWorker extends WorkerEntrypoint<DoorBindings> implements DepthService, DoorKeys {
  override fetch(request: Request): Response | Promise<Response> {
    const cached = cache.lookup(request, systemClock.now());
    if (cached) return cached;
    const runtime = doorRuntimeFor(this.env, this.ctx, createDoor(this.env));
    const origin = doorOriginOf(this.env, request, runtime.ports);
    return app.fetch(request, { scope: { runtime, origin } });
  }

  /** For the Workers that are bound to this one. */
  depth(query: DepthQuery): Promise<DepthReading | null> {
    return readDepth(createDoor(this.env), query, this.#now());
  }

  /** For the Worker that publishes keys. */
  async activeKey(): Promise<Uint8Array> {
    return (await doorIsolateOf(this.env).signers.door.activeKey()).raw;
  }

  storeKeys(published: readonly PublishedKey[]): Promise<void> {
    return this.env.KEYS.getByName(ALL_KEYS).storeKeys(published);
  }

  #now() {
    return doorIsolateOf(this.env).clock.now();
  }
}

export { AdmissionsObject, KeysObject, SessionsObject };
