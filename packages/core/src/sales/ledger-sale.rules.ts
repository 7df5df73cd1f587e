import type { Sale as LedgerSale } from '../ledger/ledger.rules.ts';
import type { Sale } from './sale.ts';

/** A sale as the ledger's postings name it. */
export function inLedger(sale: Sale): LedgerSale {
  const { id: purchaseId, sellerId, amountCents, platformFeeCents, payment } = sale;
  if (payment.payerAccount === null) throw new Error(`Purchase ${purchaseId} is free: it moves no money.`);
  return { purchaseId, sellerId, payerAccount: payment.payerAccount, amountCents, platformFeeCents };
}
