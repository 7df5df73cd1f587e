import {
  type Action,
  decisionNotices,
  type FoundSubject,
  insertDecidedCase,
  placeOf,
} from '../cases/index.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Rule } from '../kernel/rules.data.ts';
import { isoTime } from '../kernel/time.ts';

interface OwnDecision {
  readonly action: Action;
  readonly rule: Rule;
  readonly reason: string;
}

/** An operator's decision of its own accord, which can be appealed like one about a report. */
export async function ownDecision(
  ctx: OperationContext<'operator'>,
  subject: FoundSubject,
  { action, rule, reason }: OwnDecision,
): Promise<Statement[]> {
  const { ports, now, operator } = ctx;
  const id = ports.ids.uuid();
  const at = isoTime(now);
  const decision = { action, rule, reason, by: operator?.id ?? '', at };
  const decided = {
    ...{ ...placeOf(subject), id, agentId: subject.ownerId, reports: 0, openedAt: at },
    ...{ state: 'decided' as const, action, rule, reason, decidedAt: at, decidedBy: decision.by },
    ...{ appealBy: null, appealText: null, appealedAt: null },
    ...{ outcome: null, outcomeReason: null, outcomeAt: null, outcomeBy: null },
  };
  return [...insertDecidedCase(id, subject, decision), ...(await decisionNotices(ctx, decided))];
}
