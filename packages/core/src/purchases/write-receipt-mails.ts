import type { Ports } from '../kernel/ports/ports.ts';
import { DAY_MS, isoTime } from '../kernel/time.ts';
import { foldMails, writeMail } from '../mail/index.ts';
import { manyReceiptsMail, receiptMail } from './receipt-mail.rules.ts';
import { listUnwrittenReceipts, listWaitingReceipts } from './receipt-mails.store.ts';

/** Fewer than a transaction may have statements. */
const AT_ONCE = 50;
/** Whoever sells to itself for a cent can have receipts mailed to anybody: beyond so many a day, one mail names the rest. */
const MOST_A_DAY = 10;

const purpose = 'purchase_receipt';

/**
 * Writes the receipts that buyers get by mail. That one is due stands in the outbox from the moment of the
 * delivery: a trigger puts it there, whichever way a purchase is delivered. Returns how many were written.
 */
export async function writeReceiptMails({ market, clock }: Pick<Ports, 'market' | 'clock'>): Promise<number> {
  const now = clock.now();
  const dayAgo = isoTime(now - DAY_MS);
  const waiting = await listWaitingReceipts(market, { dayAgo, limit: AT_ONCE });
  for (const { purchaseIds } of waiting) {
    const [reference = '', ...others] = purchaseIds;
    const mail = writeMail({ purpose, reference, ...manyReceiptsMail(purchaseIds) });
    await market.commit([mail, foldMails(purpose, others, isoTime(now))]);
  }
  const due = await listUnwrittenReceipts(market, { dayAgo, most: MOST_A_DAY, limit: AT_ONCE });
  if (due.length > 0) {
    const mails = due.map((facts) => ({ reference: facts.purchaseId, ...receiptMail(facts) }));
    await market.commit(mails.map((mail) => writeMail({ purpose, ...mail })));
  }
  return waiting.length + due.length;
}
