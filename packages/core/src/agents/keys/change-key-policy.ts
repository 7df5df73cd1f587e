import {
  boundKeyErrors,
  changePolicy,
  insertPolicy,
  mergeLimits,
  NO_LIMITS,
  policyInput,
  readLineage,
  requireSensible,
  requireTighter,
  type SpendLimits,
  viewBudget,
} from '../../budgets/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import { isoTime } from '../../kernel/time.ts';
import { requireKeyBelow } from './change-keys.ts';
import { budgetView } from './get-key-budget.ts';
import { findKey, isBoundBelow, type StoredKey, setPolicy } from './key-changes.store.ts';
import { keyErrors } from './keys.errors.ts';
import { keyId } from './keys.schema.ts';

/** What a key may spend, from now on. */
export const changeKeyPolicy = defineOperation({
  name: 'changeKeyPolicy',
  summary: 'Say what a key that was made with yours may spend.',
  description:
    'Limits that are left out stay as they are; null takes one away. No key changes its own limits or those above it, and ' +
    'one that has limits itself only tightens. A limit may be below what is spent: nothing more is bought then. Keys that ' +
    'were made with the key share its budget.',
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: policyInput.extend({ keyId }),
  output: budgetView,
  errors: [keyErrors.key_not_found, keyErrors.key_not_below, ...Object.values(boundKeyErrors)],
  http: { method: 'patch', path: '/agents/me/keys/{id}/policy', status: 200, names: { keyId: 'id' } },
  rate: 'write',
  replay: async (ctx, _outcome, { keyId: id }) => {
    const key = await requireKeyBelow(ctx, String(id));
    return { ...(await viewBudget(ctx.ports.market, key.policyId, ctx.now)), keyId: key.id };
  },
  async handle(ctx, { keyId: id, ...sent }) {
    const { ports, caller, now } = ctx;
    const key = await requireKeyBelow(ctx, id);
    if (key.id === caller.keyId || key.replacesKeyId === caller.keyId)
      throw new Refusal(boundKeyErrors.own_limits);
    const lineage = key.policyId === null ? [] : await readLineage(ports.market, key.policyId);
    const [current, ...above] = lineage;
    const isShared = current === undefined || (await policyOfMaker(ctx, key)) === current.id;
    const limits: SpendLimits = mergeLimits(isShared ? NO_LIMITS : current, sent);
    await requireSensible(ports.market, limits, isShared ? lineage : above);
    if (!isShared && caller.policies.length > 0) requireTighter(limits, current);
    const policyId = isShared ? ports.ids.uuid() : current.id;
    const at = isoTime(now);
    const statements: Statement[] = isShared
      ? [
          insertPolicy({
            ...limits,
            id: policyId,
            agentId: caller.agentId,
            parentId: key.policyId,
            createdAt: at,
            changedAt: at,
          }),
          ...setPolicy(key, policyId),
        ]
      : [changePolicy(policyId, limits, at)];
    try {
      await ctx.commit(statements, {});
    } catch (error) {
      throw isBoundBelow(error) ? new Refusal(boundKeyErrors.keys_below_are_bounded) : error;
    }
    return { ...(await viewBudget(ports.market, policyId, now)), keyId: id };
  },
});

/** A key that has the policy of the one it was made with gets one of its own, below that. */
async function policyOfMaker(
  { ports, caller, now }: OperationContext<'agent'>,
  key: StoredKey,
): Promise<string | null> {
  if (key.parentKeyId === null) return null;
  const terms = { id: key.parentKeyId, callerKeyId: caller.keyId, now };
  return (await findKey(ports.market, caller.agentId, terms))?.policyId ?? null;
}
