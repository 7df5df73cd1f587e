import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { createSigner } from '../adapters/keys/keyring.ts';
import type { Runtime } from '../kernel/operation/run-operation.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { Door } from '../kernel/ports/ingress.ts';
import { listPublishedKeys } from '../provenance/index.ts';
import type { DoorVariables } from './door-configuration.ts';

type DoorKey = Pick<DoorVariables, 'INGRESS_SIGNING_KEY'>;

const signers = new WeakMap<object, Signer>();

/** Imports the door's key once per isolate. Null: this Worker does not have it. */
function doorSigner(bindings: DoorKey): Signer | null {
  if (!bindings.INGRESS_SIGNING_KEY) return null;
  const signer = signers.get(bindings) ?? createSigner(bindings.INGRESS_SIGNING_KEY);
  signers.set(bindings, signer);
  return signer;
}

/** A door without state, for a Worker that has its key and cannot reach it: every admission is `unavailable`. */
function unreachableDoor(signer: Signer, market: Database): Door {
  return {
    status: 'unavailable',
    signer,
    publishedKeys: () => listPublishedKeys(market, 'ingress'),
    admit: async () => ({ kind: 'unavailable' }),
    heartbeat: async () => ({ kind: 'unavailable' }),
    countLive: async () => null,
  };
}

/**
 * Runs the operations of the ingress door while its Worker cannot be reached. A bad request gets the same refusal as
 * from the door; a good one is refused as COMPONENT_UNAVAILABLE, in a receipt that verifies like any other. It never
 * contradicts the door: the same requestId gets the door's own answer later. Null: this Worker does not have the key.
 */
export function ingressFallbackRuntime(bindings: DoorKey, runtime: Runtime): Runtime | null {
  const signer = doorSigner(bindings);
  if (signer === null) return null;
  const door = unreachableDoor(signer, runtime.ports.market);
  return { ...runtime, ports: { ...runtime.ports, door } };
}
