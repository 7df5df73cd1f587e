import { doorIsolateOf } from '@agent-marketplace/core/compose/door-runtime.ts';
import { shardOf } from '@agent-marketplace/core/ingress/index.ts';
import type { Door } from '@agent-marketplace/core/kernel/ports/ingress.ts';
import type { DoorBindings } from './bindings.ts';
import { callObject } from './call-object.ts';
import { createSessionObjects } from './session-objects.ts';

/** Changing it loses sight of the records of the last minutes: their requestIds would be admitted again. */
const ADMISSION_SHARDS = 32;

/** The one object of its class. */
export const ALL_KEYS = 'all';

/** The door's memory, in the objects of this Worker. */
export function createDoor(bindings: DoorBindings): Door {
  const { configuration, signers } = doorIsolateOf(bindings);
  const sessions = createSessionObjects(bindings.SESSIONS, configuration);
  return {
    status: 'open',
    signer: signers.door,
    publishedKeys: () => callObject(bindings.KEYS, ALL_KEYS, (stub) => stub.list()),
    async admit(request) {
      const shard = String(shardOf(request.requestId, ADMISSION_SHARDS));
      return (
        (await callObject(bindings.ADMISSIONS, shard, (stub) => stub.admit(request))) ?? {
          kind: 'unavailable',
        }
      );
    },
    heartbeat: sessions.heartbeat,
    countLive: ({ intentClass, side, vertical }, now) =>
      sessions.countLive(intentClass, { side, vertical, except: null }, now),
  };
}
