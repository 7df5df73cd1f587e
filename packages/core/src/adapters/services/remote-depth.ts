import type { Clock } from '../../kernel/ports/clock.ts';
import type { Depth, DepthQuery, DepthReading } from '../../kernel/ports/ingress.ts';
import { disposeRpcResult } from '../system/dispose-rpc-result.ts';

/** The RPC interface of the ingress Worker. */
export interface DepthService {
  depth(query: DepthQuery): Promise<DepthReading | null>;
}

/** Depth is an extra in an answer, which must not wait long for it. */
const TIMEOUT_MS = 300;

/** Reads depth from the ingress Worker by service binding; null if it is down, slow or not bound. */
export function createRemoteDepth(
  service: DepthService | undefined,
  clock: Pick<Clock, 'sleep'>,
  timeoutMs: number = TIMEOUT_MS,
): Depth {
  return {
    async read(query) {
      if (service === undefined) return null;
      return Promise.race([ask(service, query), clock.sleep(timeoutMs).then(() => null)]);
    },
  };
}

async function ask(service: DepthService, query: DepthQuery): Promise<DepthReading | null> {
  try {
    return disposeRpcResult(await service.depth(query));
  } catch {
    return null;
  }
}
