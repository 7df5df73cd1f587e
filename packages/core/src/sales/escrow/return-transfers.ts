import { isoTime } from '../../kernel/time.ts';
import { isAlreadyPosted, netCents, payout, post, returnPayout } from '../../ledger/index.ts';
import { reopenDispute } from '../disputes.store.ts';
import { inLedger, withholdingPosting } from '../ledger-sale.rules.ts';
import type { Sale } from '../sale.ts';
import { sellerEvent } from '../sale-events.ts';
import { isStatusConflict, moveSale, requireSale, setPayment } from '../sales.store.ts';
import { endRefusedTransfer, setTransfer } from './escrow.store.ts';
import type { EscrowPorts } from './escrow-ports.ts';
import { dropClaims } from './reserve/seller-claims.store.ts';
import { insertReturnedTransfer, isReturnedBefore, listReversedSales } from './returned-transfers.store.ts';

const BATCH = 20;
const REASON = 'transfer_reversed';

/**
 * Sales whose transfer was reversed in the processor's dashboard: their money is in escrow again, and stays there until
 * the operator decides whether the seller or the buyer has it. It is never sent again by itself.
 */
export async function returnTransfers(ports: EscrowPorts): Promise<void> {
  for (const purchaseId of await listReversedSales(ports.market, BATCH)) {
    const sale = await requireSale(ports.market, purchaseId);
    try {
      await returnTransfer(ports, sale);
    } catch (error) {
      if (!isStatusConflict(error) && !isReturnedBefore(error) && !isAlreadyPosted(error)) throw error;
    }
  }
}

async function returnTransfer(ports: EscrowPorts, sale: Sale): Promise<void> {
  const { id, transfer } = sale;
  if (sale.status !== 'released' || transfer === null || transfer.transferId === null) return;
  const { transferId, accountId, refusals, returns } = transfer;
  const at = isoTime(ports.clock.now());
  const amountCents = netCents(inLedger(sale));
  ports.log.error('transfer_reversed', { purchaseId: id, transferId, amountCents });
  const { reference: payoutReference } = payout(inLedger(sale));
  const givenBack = withholdingPosting(sale, -sale.payment.withheldCents, 'unwithheld');
  await ports.market.commit([
    insertReturnedTransfer({
      transferId,
      purchaseId: id,
      accountId,
      amountCents,
      payoutReference,
      returnedAt: at,
    }),
    ...moveSale(id, 'released', 'held'),
    setPayment(id, { transferredCents: 0, reserveUntil: null, dueAt: null, attempts: 0 }),
    // The next transfer is another one: under the key of the first the processor would only repeat its answer.
    ...endRefusedTransfer(id, refusals + 1),
    setTransfer(id, { transferId: null, returns: returns + 1 }),
    post(returnPayout(inLedger(sale), transferId), ports.ids.uuid(), at),
    ...(givenBack ? [post(givenBack, ports.ids.uuid(), at)] : []),
    // The seller no longer has this share, so it owes nothing for it.
    dropClaims(id),
    reopenDispute(sale, 'The transfer to the seller was taken back.', at),
    ...sellerEvent(ports, { ...sale, status: 'held' }, 'sale.held', at, { reason: REASON, amountCents }),
  ]);
}
