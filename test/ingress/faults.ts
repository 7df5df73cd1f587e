import { runInDurableObject } from 'cloudflare:test';
import { shardOf } from '@agent-marketplace/core/ingress/index.ts';
import type { AdmissionsObject } from '../../workers/ingress/src/admissions.do.ts';
import type { DoorBindings } from '../../workers/ingress/src/bindings.ts';
import type { SessionsObject } from '../../workers/ingress/src/sessions.do.ts';
import { doorBindings } from './test-door.ts';

/** What happens to one call of an object: it never arrives, or its answer is lost. */
export interface ObjectFault {
  readonly when: 'before' | 'after';
  readonly error: Error;
}

export const broken = () => new Error('the object threw');
export const retryable = () => Object.assign(new Error('the object moved'), { retryable: true });
export const overloaded = () =>
  Object.assign(new Error('too many requests'), { retryable: true, overloaded: true });

interface Namespace<Stub> {
  getByName(name: string): Stub;
}

/** A namespace that puts faults in the way of its calls, first one first, and counts the calls. */
export function faulty<Stub extends object>(real: Namespace<Stub>, faults: (ObjectFault | null)[]) {
  const calls: string[] = [];
  const namespace: Namespace<Stub> = {
    getByName: (name) =>
      new Proxy(real.getByName(name), {
        get:
          (stub, method: string) =>
          async (...args: unknown[]) => {
            calls.push(`${name}.${method}`);
            const fault = faults.shift();
            if (fault?.when === 'before') throw fault.error;
            // Called in one expression: on a stub, `.apply` would be a method of the object.
            const answer = await (stub as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args);
            if (fault?.when === 'after') throw fault.error;
            return answer;
          },
      }),
  };
  return { namespace, calls };
}

const admissions = doorBindings.ADMISSIONS as unknown as DurableObjectNamespace<AdmissionsObject>;
const sessions = doorBindings.SESSIONS as unknown as DurableObjectNamespace<SessionsObject>;

/** The object that keeps the records of a requestId. */
export const admissionsOf = (requestId: string) => admissions.getByName(String(shardOf(requestId, 32)));
export const sessionsOf = (intentClass: string) => sessions.getByName(`${intentClass}:0`);

/** Lets the object of a requestId see other bindings, until it is evicted. */
export async function rebind(requestId: string, changes: Partial<DoorBindings>): Promise<void> {
  await runInDurableObject(admissionsOf(requestId), (instance) => {
    const open = instance as unknown as { env: DoorBindings };
    open.env = { ...open.env, ...changes };
  });
}

/** Runs SQL in an object's own storage. */
export function sqlIn(
  stub: DurableObjectStub<AdmissionsObject> | DurableObjectStub<SessionsObject>,
  text: string,
) {
  return runInDurableObject(stub as DurableObjectStub<SessionsObject>, (_, state) =>
    state.storage.sql.exec(text).toArray(),
  );
}
