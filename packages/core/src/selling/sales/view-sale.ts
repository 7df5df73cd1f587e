import type * as z from 'zod';
import { stateOfDispute } from '../../disputes/index.ts';
import { saleNotice, shownStatus, viewChargeback } from '../../sales/index.ts';
import { awaitsShipment } from '../dashboard.rules.ts';
import type { recentSale } from '../dashboard.schema.ts';
import type { RecentSale } from '../dashboard.store.ts';

/** A sale as its seller sees it: the buyer by its pseudonym, and nothing of what was asked or delivered. */
export function viewSale(row: RecentSale): z.output<typeof recentSale> {
  const { disputeDecideBy, disputeDecidedAt, disputeDecidedBy, disputeDecision, disputeOpenedAt, ...from } =
    row;
  const { fulfilment, shippedAt, ...rest } = from;
  const { chargebackOpenedAt, chargebackSettledAt, chargebackStatus, ...more } = rest;
  const { dueAt, failure, heldAt, id, liftedAt, paidElsewhere, reserveUntil, ...sale } = more;
  const noticed = {
    status: sale.status,
    payment: { dueAt, failure, reserveUntil },
    operatorHold: heldAt === null ? null : { liftedAt },
    paidTo: paidElsewhere,
  };
  return {
    ...sale,
    notice: saleNotice(noticed, 'seller'),
    purchaseId: id,
    reserveUntil,
    status: shownStatus(noticed),
    awaitsShipment: awaitsShipment({ fulfilment, shippedAt, status: sale.status }),
    chargeback: viewChargeback({ chargebackOpenedAt, chargebackSettledAt, chargebackStatus }),
    dispute:
      disputeOpenedAt === null
        ? null
        : stateOfDispute({
            decideBy: disputeDecideBy,
            decidedAt: disputeDecidedAt,
            decidedBy: disputeDecidedBy,
            decision: disputeDecision,
            openedAt: disputeOpenedAt,
          }),
  };
}
