import type { IsoTime } from '../../kernel/time.ts';
import type { Sale } from '../sale.ts';
import { isInReserve } from './sale-notice.rules.ts';

/** Whether the jobs would bring the sale on, if they came by now: nobody's decision and no time is waited for. */
export function isRetriable(
  sale: Pick<Sale, 'status' | 'payment' | 'shipment' | 'dispute' | 'operatorHold'>,
  at: IsoTime,
): boolean {
  const { status, payment, dispute, operatorHold } = sale;
  switch (status) {
    case 'held': {
      if (payment.refundRequestedAt !== null) return true;
      if (isInReserve({ status, payment }) && payment.reserveUntil !== null && payment.reserveUntil > at)
        return false;
      if (dispute?.decision === null || operatorHold?.liftedAt === null) return false;
      // An order that is not shipped is refunded then.
      const endsAt = payment.holdUntil ?? sale.shipment?.shipBy ?? null;
      return endsAt !== null && endsAt <= at;
    }
    case 'releasing':
      return true;
    case 'pending_payment':
    case 'authorized':
      return payment.outcome !== null;
    case 'refunded':
      // Its refund failed, and is owed.
      return payment.dueAt !== null;
    case 'released':
    case 'expired':
    case 'failed':
      return false;
  }
}
