import type { Sale as LedgerSale } from '../ledger/ledger.rules.ts';
import type { Sale } from './sale.ts';

/** A sale as the ledger's postings name it. */
export function inLedger(sale: Omit<Sale, 'payment' | 'status' | 'listingId'>): LedgerSale {
  const { id: purchaseId, sellerId, buyerId, rail, amountCents, platformFeeCents } = sale;
  return { purchaseId, sellerId, buyerId, rail, amountCents, platformFeeCents };
}
