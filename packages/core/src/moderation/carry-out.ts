import { limitByOperator, recordActivation, recordAgentEvent, setSuspension } from '../agents/index.ts';
import { type Action, type ModerationCase, subjectOf } from '../cases/index.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { Rule } from '../kernel/rules.data.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import {
  activatePendingListings,
  pauseListings,
  refreshAfterChange,
  setListingBlock,
} from '../listings/index.ts';
import { setRatingRemoved } from '../ratings/index.ts';
import { cancelOpenSales, holdSalesOf, releaseSalesOf } from '../sales/index.ts';

/** What is done to a listing, a rating or an agent, or undone where `rule` is null. */
export interface Measure {
  readonly kind: 'block' | 'remove_rating' | 'limit' | 'suspend';
  /** Of the listing, of the rating, or of the agent. */
  readonly id: string;
  /** Where something of it is shown. */
  readonly listingId: string | null;
  readonly rule: Rule | null;
  readonly reason: string;
}

/** What an action about a case is carried out on. */
export function measureOf(
  found: ModerationCase,
  action: Exclude<Action, 'dismiss'>,
): Pick<Measure, 'kind' | 'id' | 'listingId'> {
  const { type, id } = subjectOf(found);
  const listingId = type === 'agent' ? null : found.subjectId;
  if (action !== 'block') return { kind: action, id: found.agentId, listingId };
  return { kind: type === 'rating' ? 'remove_rating' : 'block', id, listingId };
}

/** What is written and answered with a measure. */
interface Alongside {
  readonly statements: readonly Statement[];
  readonly answer: object;
}

/** Carries a measure out, with all that it means for listings and sales, in one transaction. */
export async function carryOut(
  ctx: OperationContext<'operator'>,
  { kind, id, listingId, rule, reason }: Measure,
  { statements, answer }: Alongside,
): Promise<void> {
  const { ports, now } = ctx;
  const at = isoTime(now);
  switch (kind) {
    case 'block': {
      const open = rule === null ? [] : [cancelOpenSales('listing_blocked', id, at)];
      return setListingBlock(ctx, id, { rule, reason }, { answer, statements: [...open, ...statements] });
    }
    case 'remove_rating':
      await ctx.commit([setRatingRemoved(id, rule !== null), ...statements], answer);
      if (listingId !== null) await refreshAfterChange(ports, [listingId]);
      return;
    case 'limit':
      await ctx.commit([...limitByOperator(ports.ids, id, rule !== null, at), ...statements], answer);
      return;
    case 'suspend':
      await ctx.commit([...suspensionStatements(ports, { id, rule, reason }, at), ...statements], answer);
      ports.log.info('agent_suspended', { agentId: id, suspended: rule !== null });
      ports.background.run(ports.jobs.send({ kind: 'outbox' }));
  }
}

function suspensionStatements(
  { ids }: Pick<Ports, 'ids'>,
  { id, rule, reason }: Omit<Measure, 'kind' | 'listingId'>,
  at: IsoTime,
): Statement[] {
  const notice = recordAgentEvent(
    id,
    'account.suspended',
    { reason, rule, suspended: rule !== null },
    ids.uuid(),
    at,
  );
  if (rule !== null) {
    return [
      ...setSuspension(id, { since: at, rule, reason }),
      pauseListings([id]),
      cancelOpenSales('seller_suspended', id, at),
      cancelOpenSales('buyer_suspended', id, at),
      holdSalesOf(id, at),
      ...notice,
    ];
  }
  return [
    ...setSuspension(id, null),
    ...recordActivation(id, { eventId: ids.uuid(), notificationId: ids.uuid() }, at),
    activatePendingListings(id),
    releaseSalesOf(id, at),
    ...notice,
  ];
}
