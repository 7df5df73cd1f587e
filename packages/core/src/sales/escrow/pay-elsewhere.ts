import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { netCents, payout, post } from '../../ledger/index.ts';
import { closeDispute } from '../disputes.store.ts';
import { inLedger, leftCents } from '../ledger-sale.rules.ts';
import type { RailPorts } from '../rails/rail.ts';
import type { PaidElsewhere, Sale } from '../sale.ts';
import { buyerNotice, sellerEvent } from '../sale-events.ts';
import { moveSale, rescheduleCheck, setPayment } from '../sales.store.ts';
import { beginTransfer, requestRefund } from './escrow.store.ts';
import { liftHold } from './holds.store.ts';
import { insertPaidElsewhere } from './paid-elsewhere.store.ts';
import { recordRefunded, withRefund } from './refund-sale.ts';

const REASON = 'paid_elsewhere';
/** In place of an account that a transfer would go to. */
const NO_ACCOUNT = 'elsewhere';

type Payment = Pick<PaidElsewhere, 'party' | 'paidFrom' | 'evidence'>;

/**
 * The platform paid a party of a sale by means of its own: the sale ends as if its transfer or refund had been made. It
 * aborts while another payment may still be made: unless the sale is in escrow, and no refund was asked for; for the
 * seller also unless its time is over and nothing stops it.
 */
export function payElsewhere(
  ports: Pick<RailPorts, 'ids'>,
  sale: Sale,
  { party, paidFrom, evidence }: Payment,
  at: IsoTime,
): Statement[] {
  const amountCents = party === 'seller' ? netCents(inLedger(sale)) : leftCents(sale);
  const record = insertPaidElsewhere({
    purchaseId: sale.id,
    party,
    paidFrom,
    amountCents,
    evidence,
    paidAt: at,
  });
  const more = { paidElsewhere: evidence };
  if (party === 'buyer')
    return [
      ...requestRefund(sale.id, REASON, at),
      ...recordRefunded(ports, withRefund(sale, REASON, at), at, null, paidFrom),
      record,
      closeDispute(sale.id, 'refund', 'operator', at),
      liftHold(sale.id, at),
      ...buyerNotice(ports, { ...sale, status: 'refunded' }, REASON, at),
    ];
  return [
    // What was refused waits for its next try.
    rescheduleCheck(sale, at, sale.payment.attempts),
    ...beginTransfer(sale.id, {
      accountId: NO_ACCOUNT,
      payoutBatchId: null,
      amountCents,
      at,
      checkAt: null,
      limitCents: null,
      since: at,
    }),
    ...moveSale(sale.id, 'releasing', 'released'),
    setPayment(sale.id, { dueAt: null, attempts: 0 }),
    post(payout(inLedger(sale), paidFrom), ports.ids.uuid(), at),
    record,
    ...sellerEvent(ports, { ...sale, status: 'released' }, 'sale.released', at, more),
  ];
}
