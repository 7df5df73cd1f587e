import { sha256Hex } from '../crypto/digest.ts';
import type { QuotaHolder } from './daily-quota.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import { mailboxFor } from './mailbox-for.ts';
import type { AgentCaller, OperationContext } from './operation.ts';
import { type QuotaRead, quotaPolicyOf } from './quota-policy.ts';
import { rateKeyOf } from './rate-key.ts';
import { dailyLimitReached } from './refusal-of.ts';
import type { OperationRequest } from './request-state.ts';

/** A claim on an Idempotency-Key, until its outcome is recorded with what the operation writes. */
export interface TrackedClaim {
  readonly claim: IdempotencyClaim;
  isCompleted: boolean;
}

export function contextOf(
  { operation, runtime, call, now }: OperationRequest,
  caller: AgentCaller | null,
  trackedClaim: TrackedClaim | null,
  quota: QuotaRead,
): OperationContext {
  const { settings, idempotency, quotas } = runtime;
  const { requestId, baseUrl, isOperator, referer } = call;
  const policy = quotaPolicyOf({ operation, call });
  const quotaHolder: QuotaHolder =
    caller === null
      ? { kind: 'network', network: rateKeyOf(call.clientAddress) }
      : { kind: 'agent', agentId: caller.agentId };
  const withinQuota: OperationContext['withinQuota'] = (statements, files) => {
    if (quotas === null || policy === null) return statements;
    return quotas.charge(quotaHolder, files ? 'attachment' : policy, statements, now, files?.bytes);
  };
  const ports = { ...runtime.ports, pollingMailbox: mailboxFor(quotaHolder, runtime) };
  return {
    ports,
    settings,
    // The auth of the operation and the type of its caller agree by findCaller.
    caller: caller as OperationContext['caller'],
    now,
    requestId,
    baseUrl,
    isOperator,
    network: rateKeyOf(call.clientAddress),
    referer,
    headerFields: call.headerFields ?? {},
    withinQuota,
    async requireQuota() {
      if (await quota.isSpent()) throw dailyLimitReached(now);
    },
    async commit(statements, outcome) {
      const counted = operation.movesMoney ? statements : withinQuota(statements);
      if (trackedClaim === null) return ports.market.commit(counted);
      const rows = await ports.market.commit([
        ...counted,
        ...idempotency.completion(trackedClaim.claim, outcome, now),
      ]);
      trackedClaim.isCompleted = true;
      return rows;
    },
    async stableId() {
      if (trackedClaim === null) return ports.ids.uuid();
      const { scope, key } = trackedClaim.claim;
      return uuidOf(await sha256Hex(`${scope} ${key}`));
    },
  };
}

/** RFC 9562, version 8: of a hash. */
function uuidOf(hex: string): string {
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...groups, hex.slice(20, 32)].join('-');
}
