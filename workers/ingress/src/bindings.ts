import type { LocationBindings } from '@agent-marketplace/core/adapters/rate-limit/location-limits.ts';
import type { DoorVariables } from '@agent-marketplace/core/compose/door-configuration.ts';
import type { AdmissionAnswer, AdmissionRequest } from '@agent-marketplace/core/kernel/ports/ingress.ts';
import type { ObjectNamespace } from './call-object.ts';
import type { KeysObject } from './keys.do.ts';
import type { SessionsObject } from './sessions.do.ts';

/** What is called of an object, from outside it. */
export interface AdmissionsStub {
  admit(request: AdmissionRequest): Promise<AdmissionAnswer>;
}

export type SessionsStub = {
  [M in 'admit' | 'heartbeat' | 'count' | 'endsOf']: (
    ...args: Parameters<SessionsObject[M]>
  ) => Promise<ReturnType<SessionsObject[M]>>;
};

export type KeysStub = {
  [M in 'storeKeys' | 'list']: (...args: Parameters<KeysObject[M]>) => Promise<ReturnType<KeysObject[M]>>;
};

export interface DoorBindings extends DoorVariables, LocationBindings {
  readonly KEYS: ObjectNamespace<KeysStub>;
  readonly ADMISSIONS: ObjectNamespace<AdmissionsStub>;
  readonly SESSIONS: ObjectNamespace<SessionsStub>;
}
