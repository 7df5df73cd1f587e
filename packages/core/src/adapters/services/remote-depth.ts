import type { Clock } from '../../kernel/ports/clock.ts';
import type { Depth, DepthQuery, DepthReading } from '../../kernel/ports/ingress.ts';
import { disposeRpcResult } from '../system/dispose-rpc-result.ts';

/** What the Worker of the ingress door offers to those that are bound to it, besides HTTP. */
export interface DepthService {
  depth(query: DepthQuery): Promise<DepthReading | null>;
}

/** Depth is an addition to an answer: who asked is not kept waiting for it. */
const PATIENCE_MS = 300;

/** Asks the ingress Worker by service binding; a door that is down, slow or not bound tells nothing. */
export function createRemoteDepth(
  service: DepthService | undefined,
  clock: Pick<Clock, 'sleep'>,
  patienceMs: number = PATIENCE_MS,
): Depth {
  return {
    async read(query) {
      if (service === undefined) return null;
      return Promise.race([ask(service, query), clock.sleep(patienceMs).then(() => null)]);
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
