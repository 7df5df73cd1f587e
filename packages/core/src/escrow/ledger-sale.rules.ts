import { chargeback, type Sale as LedgerSale, type Posting } from '../ledger/ledger.rules.ts';
import type { Chargeback } from './chargeback.rules.ts';
import type { Sale } from './sale.ts';

/** A sale as the ledger's postings name it. */
export function inLedger(sale: Omit<Sale, 'payment' | 'status' | 'listingId'>): LedgerSale {
  const { id: purchaseId, sellerId, buyerId, rail, amountCents, platformFeeCents } = sale;
  return { purchaseId, sellerId, buyerId, rail, amountCents, platformFeeCents };
}

/** What moved since the processor was last asked about a cardholder's dispute; null if nothing did. */
export function chargebackMovement(known: Chargeback | null, next: Chargeback): Posting | null {
  const { disputeId, purchaseId, topUpId, agentId, revision } = next;
  return chargeback({
    reference: [purchaseId ?? topUpId, disputeId, revision].join(':'),
    withdrawnCents: next.withdrawnCents - (known?.withdrawnCents ?? 0),
    // A sale that is taken back has a posting of its own.
    wallet:
      agentId === null ? null : { agentId, coveredCents: next.coveredCents - (known?.coveredCents ?? 0) },
  });
}
