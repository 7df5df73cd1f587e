import { createSigner } from '../adapters/keys/keyring.ts';
import type { Runtime } from '../kernel/operation/run-operation.ts';
import type { Door } from '../kernel/ports/ingress.ts';
import type { DoorVariables } from './door-configuration.ts';

type DoorKey = Pick<DoorVariables, 'INGRESS_SIGNING_KEY'>;

const doors = new WeakMap<object, Door>();

/** The door as a Worker has it that holds its key and cannot reach it: it can refuse, and knows nothing. */
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
 * For operations of the door while its Worker cannot be reached: what is wrong with a request is said as the door would
 * say it, what is right is refused as COMPONENT_UNAVAILABLE, in a receipt that verifies like any other. It cannot
 * contradict the door, whatever that did before it was cut off: the same requestId gets the door's own answer later.
 * Null where the key is not held.
 */
export function ingressFallbackRuntime(bindings: DoorKey, runtime: Runtime): Runtime | null {
  const door = unreachableDoor(bindings);
  return door && { ...runtime, ports: { ...runtime.ports, door } };
}
