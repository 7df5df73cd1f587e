import type Stripe from 'stripe';
import type { CardDispute, CardProcessor } from '../../kernel/ports/card-processor.ts';
import { CURRENCY } from './stripe-checkouts.ts';
import { ask } from './stripe-errors.ts';
import { fromMetadata } from './stripe-reference.ts';

/** Ended without a verdict: a warning that was closed, or a dispute settled before it began. */
const CLOSED: readonly string[] = ['warning_closed', 'prevented'];

/** Chargebacks by cardholders' banks. */
export function stripeDisputes(stripe: Stripe): Pick<CardProcessor, 'getDispute'> {
  return {
    getDispute: (disputeId) =>
      ask('get dispute', async () =>
        toDispute(await stripe.disputes.retrieve(disputeId, { expand: ['payment_intent'] })),
      ),
  };
}

function toDispute(dispute: Stripe.Dispute): CardDispute {
  const intent = typeof dispute.payment_intent === 'object' ? dispute.payment_intent : null;
  const withdrawnCents = withdrawn(dispute);
  return {
    disputeId: dispute.id,
    paymentId: intent?.id ?? null,
    amountCents: dispute.amount,
    status: statusOf(dispute.status, withdrawnCents),
    withdrawnCents,
    reference: fromMetadata(intent?.metadata ?? null),
  };
}

function statusOf(status: string, withdrawnCents: number): CardDispute['status'] {
  if (status === 'won' || status === 'lost') return status;
  if (!CLOSED.includes(status)) return 'open';
  return withdrawnCents > 0 ? 'lost' : 'won';
}

/** The sum that the balance entries withdraw. Stripe's own fee is a separate field of each entry and not in it. */
function withdrawn({ balance_transactions }: Stripe.Dispute): number {
  const sum = balance_transactions.reduce(
    (total, { amount, currency }) => (currency === CURRENCY ? total - amount : total),
    0,
  );
  return Math.max(0, sum);
}
