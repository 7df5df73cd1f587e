import { disposeRpcResult } from '@agent-marketplace/core/adapters/system/dispose-rpc-result.ts';
import { consoleLog } from '@agent-marketplace/core/adapters/system/system.ts';

/** What a namespace of Durable Objects is here: a stub by name. */
export interface ObjectNamespace<Stub> {
  getByName(name: string): Stub;
}

/**
 * Calls an object, and once more on a new stub if the platform says that this may help: it moved, or was
 * replaced by a new version. An overloaded one is left alone. Null: no answer.
 */
export async function callObject<Stub, Answer>(
  namespace: ObjectNamespace<Stub>,
  name: string,
  call: (stub: Stub) => Promise<Answer>,
): Promise<Answer | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return disposeRpcResult(await call(namespace.getByName(name)));
    } catch (error) {
      if (attempt === 1 && isRetryable(error)) continue;
      consoleLog.error('object_call_failed', { object: name, attempt, message: String(error) });
      return null;
    }
  }
}

/** Workers' own marks on errors of the platform; an error that an object threw has none. */
function isRetryable(error: unknown): boolean {
  const { retryable, overloaded } = (error ?? {}) as { retryable?: boolean; overloaded?: boolean };
  return retryable === true && overloaded !== true;
}
