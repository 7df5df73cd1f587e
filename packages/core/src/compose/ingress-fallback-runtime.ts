import { createSigner } from '../adapters/keys/keyring.ts';
import type { Runtime } from '../kernel/operation/run-operation.ts';
import type { Door } from '../kernel/ports/ingress.ts';
import type { DoorVariables } from './door-configuration.ts';

type DoorKey = Pick<DoorVariables, 'INGRESS_SIGNING_KEY'>;

const doors = new WeakMap<object, Door>();

/** A door without state, for a Worker that has its key and cannot reach it: every admission is `unavailable`. */
function unreachableDoor(bindings: DoorKey): Door | null {
  if (!bindings.INGRESS_SIGNING_KEY) return null;
  const known = doors.get(bindings);
  if (known) return known;
  const door: Door = {
    status: 'unavailable',
    signer: createSigner(bindings.INGRESS_SIGNING_KEY),
    admit: async () => ({ kind: 'unavailable' }),
    heartbeat: async () => ({ kind: 'unavailable' }),
    countLive: async () => null,
  };
  doors.set(bindings, door);
  return door;
}

/**
 * Runs the operations of the ingress door while its Worker cannot be reached. A bad request gets the same refusal as
 * from the door; a good one is refused as COMPONENT_UNAVAILABLE, in a receipt that verifies like any other. It never
 * contradicts the door: the same requestId gets the door's own answer later. Null: this Worker does not have the key.
 */
export function ingressFallbackRuntime(bindings: DoorKey, runtime: Runtime): Runtime | null {
  const door = unreachableDoor(bindings);
  return door && { ...runtime, ports: { ...runtime.ports, door } };
}
