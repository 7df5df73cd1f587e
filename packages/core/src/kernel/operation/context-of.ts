import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { isoTime } from '../time.ts';
import type { AuditTrail, OperatorAction } from './audit-trail.ts';
import type { Runtime } from './call.ts';
import type { QuotaHolder } from './daily-quota.ts';
import { requireValidKey } from './find-caller.ts';
import type { IdempotencyClaim } from './idempotency.ts';
import { mailboxFor } from './mailbox-for.ts';
import type { AgentCaller, AnyOperation, OperationContext } from './operation.ts';
import type { Operator } from './operators/operator.ts';
import type { ParsedInput } from './parse-input.ts';
import { type QuotaRead, quotaPolicyOf } from './quota-policy.ts';
import { rateKeyOf } from './rate-key.ts';
import { dailyLimitReached } from './refusal-of.ts';
import type { OperationRequest } from './request-state.ts';

/** A claim on an Idempotency-Key, until its outcome is recorded with what the operation writes. */
export interface TrackedClaim {
  readonly claim: IdempotencyClaim;
  isCompleted: boolean;
}

/** Who was let in. */
export interface Admission {
  readonly caller: AgentCaller | null;
  readonly operator: Operator | null;
  readonly keyHash: string | null;
}

const NO_FILES: ReadonlyMap<string, number> = new Map();

export function contextOf(
  { operation, runtime, call, now }: OperationRequest,
  { caller, operator, keyHash }: Admission,
  trackedClaim: TrackedClaim | null,
  quota: QuotaRead,
  /** Null in a replay, which changes nothing. */
  input: ParsedInput | null = null,
): OperationContext {
  const { settings, idempotency, quotas } = runtime;
  const { requestId, baseUrl, referer } = call;
  const action = input === null ? null : actionOf(operation, operator, input);
  const policy = quotaPolicyOf(operation, operator);
  const quotaHolder: QuotaHolder =
    caller === null
      ? { kind: 'network', network: rateKeyOf(call.clientAddress) }
      : { kind: 'agent', agentId: caller.agentId };
  const withinQuota: OperationContext['withinQuota'] = (statements, files) => {
    if (quotas === null || policy === null) return statements;
    if (!files) return quotas.charge(quotaHolder, policy, statements, now);
    // Those of a large body were counted for the network before it was read.
    const bytes = call.upload && caller === null ? 0 : files.bytes;
    return quotas.charge(quotaHolder, 'attachment', statements, now, bytes);
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
    operator,
    unmatchedFields: [],
    network: rateKeyOf(call.clientAddress),
    idempotencyKey: call.idempotencyKey,
    referer,
    headerFields: call.headerFields ?? {},
    bodyDigest: call.bodyDigest?.() ?? null,
    storedFiles: call.upload?.storedFiles() ?? NO_FILES,
    withinQuota,
    requireKey: () => requireValidKey(runtime, keyHash),
    async requireQuota() {
      if (policy !== null && (await quota.isSpent())) throw dailyLimitReached(now);
    },
    async commit(statements, outcome, audited = {}) {
      const counted = operation.movesMoney ? statements : withinQuota(statements);
      const completion = trackedClaim ? idempotency.completion(trackedClaim.claim, outcome, now) : [];
      const all = [...counted, ...completion];
      // What was done before changes nothing: it is no second entry of the audit chain.
      const rows = await (action === null || statements.length === 0
        ? ports.market.commit(all)
        : auditTrailOf(runtime).commit(completeAction(action, audited, outcome), all, isoTime(now)));
      if (trackedClaim) trackedClaim.isCompleted = true;
      return rows;
    },
    async stableId() {
      if (trackedClaim === null) return ports.ids.uuid();
      const { scope, key } = trackedClaim.claim;
      return uuidOf(await sha256Hex(`${scope} ${key}`));
    },
  };
}

/** What the audit chain says of a call. An operation that may change something as the operator declares its subject. */
function actionOf(
  { name, audit }: AnyOperation,
  operator: Operator | null,
  input: ParsedInput,
): OperatorAction | null {
  const subject = operator === null ? null : (audit?.(input as never) ?? null);
  return subject && operator !== null ? { ...subject, operator, operation: name, input, after: null } : null;
}

function completeAction(
  action: OperatorAction,
  { subjectId = action.subject.id, after }: { readonly subjectId?: string | null; readonly after?: object },
  outcome: object | null,
): OperatorAction {
  return { ...action, subject: { ...action.subject, id: subjectId }, after: after ?? outcome };
}

/** What an operator was shown is recorded before it is. */
export async function recordRead(
  { operation, runtime, now }: OperationRequest,
  { operator }: Admission,
  input: ParsedInput,
): Promise<void> {
  if (operation.replay !== undefined) return;
  const action = actionOf(operation, operator, input);
  if (action !== null) await auditTrailOf(runtime).commit(action, [], isoTime(now));
}

function auditTrailOf({ auditTrail }: Runtime): AuditTrail {
  if (auditTrail === null)
    throw new Error('This Worker has no audit chain, and serves nothing that needs one.');
  return auditTrail;
}

/** RFC 9562, version 8: of a hash. */
function uuidOf(hex: string): string {
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...groups, hex.slice(20, 32)].join('-');
}
