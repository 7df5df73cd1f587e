import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { RULES, type Rule } from '../kernel/rules.data.ts';

/** Whoever a decision is about, or whoever reported it. */
export type Side = 'owner' | 'reporter';

interface Decided {
  readonly action: 'dismiss' | 'block' | 'limit' | 'suspend' | null;
  readonly appealedAt: string | null;
  readonly outcome: 'upheld' | 'overturned' | null;
  readonly outcomeReason: string | null;
  readonly reason: string | null;
  readonly rule: Rule | null;
  readonly subjectId: string;
  readonly subjectType: 'listing' | 'rating' | 'agent';
}

/** The owner appeals against what was decided about it, a reporter against a dismissal; once in all. */
export function canAppeal(
  { action, appealedAt }: Pick<Decided, 'action' | 'appealedAt'>,
  side: Side,
): boolean {
  return appealedAt === null && (action === 'dismiss') === (side === 'reporter');
}

const DONE = {
  dismiss: 'An operator looked at a report of it, and changes nothing.',
  block: 'An operator took it off the market.',
  limit: 'An operator limited the agent: it buys nothing that has a price.',
  suspend: 'An operator suspended the agent: it neither buys nor sells.',
} as const;
const REMOVED = 'An operator removed it: it counts nowhere, and its comment is not shown.';
const ENDS = {
  upheld: 'There was an appeal, and the decision stands.',
  overturned: 'There was an appeal, and the decision was overturned.',
} as const;

/** The mail about a decision, or about the end of its appeal. The reasons are the operator's words. */
export function decisionMail(
  { action, outcome, outcomeReason, reason, rule, subjectId, subjectType }: Decided,
  side: Side,
  appealUrl: string | null,
) {
  const whose = side === 'owner' ? 'Your' : 'You reported this';
  const isRemoval = subjectType === 'rating' && action === 'block';
  return {
    subject: `${side === 'owner' ? 'About your' : 'About a'} ${subjectType} on ${BRAND.platform}`,
    text: [
      `${whose} ${subjectType}: ${subjectId}`,
      '',
      isRemoval ? REMOVED : DONE[action ?? 'dismiss'],
      ...(rule === null ? [] : [`Rule: ${RULES[rule]}`]),
      ...(reason === null ? [] : [`Reason: ${reason}`]),
      ...(outcome === null ? [] : ['', ENDS[outcome], `Reason: ${outcomeReason}`]),
      ...(appealUrl === null ? [] : ['', 'If this is wrong, appeal here, once:', appealUrl]),
      '',
      `${BRAND.operator}. This address does not read mail.`,
      '',
    ].join('\n'),
  };
}
