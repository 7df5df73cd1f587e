import { z } from 'zod';
import type { IsoTime } from '../kernel/time.ts';
import type { Decision, Dispute } from '../sales/index.ts';

const STATUS_OF: Readonly<Record<Decision, 'refunded' | 'released'>> = {
  refund: 'refunded',
  release: 'released',
};

/** How a dispute stands, for both parties of a sale. */
export const disputeState = z.object({
  decidedAt: z.iso.datetime().nullable(),
  openedAt: z.iso.datetime(),
  status: z
    .enum(['open', 'refunded', 'released'])
    .describe(
      '`open`: the money stays in escrow until the operator decides. Otherwise how it was decided; the status of the ' +
        'sale says how far the money got.',
    ),
});

/** The same for the buyer, who wrote the reason; besides, the operator alone reads it. */
export const ownDispute = disputeState.extend({ reason: z.string().describe('As you gave it.') });

export type DisputeState = z.output<typeof disputeState>;

export function stateOfDispute(dispute: {
  readonly decidedAt: IsoTime | null;
  readonly decision: Decision | null;
  readonly openedAt: IsoTime;
}): DisputeState {
  const { decidedAt, decision, openedAt } = dispute;
  return { decidedAt, openedAt, status: decision === null ? 'open' : STATUS_OF[decision] };
}

export function viewOwnDispute(dispute: Omit<Dispute, 'purchaseId'>): z.output<typeof ownDispute> {
  const { decidedAt, openedAt, status } = stateOfDispute(dispute);
  return { decidedAt, openedAt, reason: dispute.reason, status };
}
