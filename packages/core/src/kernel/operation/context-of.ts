import { sha256Hex } from '../crypto/digest.ts';
import type { EpochMs } from '../time.ts';
import type { Call, Runtime } from './call.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import type { AgentCaller, OperationContext } from './operation.ts';

export function contextOf(
  runtime: Runtime,
  call: Call,
  caller: AgentCaller | null,
  now: EpochMs,
  tracked: { claim: IdempotencyClaim; completed: boolean } | null,
): OperationContext {
  const { ports, settings, idempotency } = runtime;
  const { requestId, baseUrl, isOperator, referer } = call;
  return {
    ports,
    settings,
    // The auth of the operation and the type of its caller agree by findCaller.
    caller: caller as OperationContext['caller'],
    now,
    requestId,
    baseUrl,
    isOperator,
    referer,
    headerFields: call.headerFields ?? {},
    async commit(statements, outcome) {
      if (tracked === null) return ports.market.commit(statements);
      const rows = await ports.market.commit([
        ...statements,
        ...idempotency.completion(tracked.claim, outcome, now),
      ]);
      tracked.completed = true;
      return rows;
    },
    async stableId() {
      if (tracked === null) return ports.ids.uuid();
      const { scope, key } = tracked.claim;
      return uuidOf(await sha256Hex(`${scope} ${key}`));
    },
  };
}

/** RFC 9562, version 8: of a hash. */
function uuidOf(hex: string): string {
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...groups, hex.slice(20, 32)].join('-');
}
