import * as z from 'zod';
import type { Decision, Dispute } from '../sales/index.ts';
import { disputeFields } from './disputes.schema.ts';

const STATUS_OF: Readonly<Record<Decision, 'refunded' | 'released'>> = {
  refund: 'refunded',
  release: 'released',
};

/** How a dispute stands, for both parties of a sale. */
export const disputeState = z
  .object({
    decideBy: disputeFields.decideBy,
    decidedAt: disputeFields.decidedAt,
    decidedBy: disputeFields.decidedBy,
    openedAt: z.iso.datetime(),
    status: z
      .enum(['open', 'refunded', 'released'])
      .describe(
        '`open`: the money stays in escrow until the operator decides, or a rule at `decideBy`. Otherwise how it was decided; the status of the ' +
          'sale says how far the money got.',
      ),
  })
  .meta({ id: 'Dispute' });

/** The same for the buyer, who wrote the reason; besides, the operator alone reads it. */
export const ownDispute = disputeState
  .extend({ reason: z.string().describe('As you gave it.') })
  .meta({ id: 'OwnDispute' });

export type DisputeState = z.output<typeof disputeState>;

export function stateOfDispute(
  dispute: Pick<Dispute, 'decideBy' | 'decidedAt' | 'decidedBy' | 'decision' | 'openedAt'>,
): DisputeState {
  const { decideBy, decidedAt, decidedBy, decision, openedAt } = dispute;
  return {
    decideBy,
    decidedAt,
    decidedBy,
    openedAt,
    status: decision === null ? 'open' : STATUS_OF[decision],
  };
}

export function viewOwnDispute(dispute: Dispute): z.output<typeof ownDispute> {
  const { decideBy, decidedAt, decidedBy, openedAt, status } = stateOfDispute(dispute);
  return { decideBy, decidedAt, decidedBy, openedAt, reason: dispute.reason, status };
}
