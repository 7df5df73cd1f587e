import type { Ports } from '../kernel/ports/ports.ts';
import { writeMail } from '../mail/index.ts';
import { receiptMail } from './receipt-mail.rules.ts';
import { listUnwrittenReceipts } from './receipt-mails.store.ts';

/** Fewer than a transaction may have statements. */
const AT_ONCE = 50;

/**
 * Writes the receipts that buyers get by mail. That one is due stands in the outbox from the moment of the
 * delivery: a trigger puts it there, whichever way a purchase is delivered. Returns how many were written.
 */
export async function writeReceiptMails({ market }: Pick<Ports, 'market'>): Promise<number> {
  const due = await listUnwrittenReceipts(market, AT_ONCE);
  if (due.length > 0) {
    const mails = due.map((facts) => ({ reference: facts.purchaseId, ...receiptMail(facts) }));
    await market.commit(mails.map((mail) => writeMail({ purpose: 'purchase_receipt', ...mail })));
  }
  return due.length;
}
