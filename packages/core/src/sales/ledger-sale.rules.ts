import type { Sale as LedgerSale } from '../ledger/ledger.rules.ts';
import type { Sale } from './sale.ts';

/** A sale as the ledger's postings name it: what banks took of it is no part of it any more. */
export function inLedger(sale: Sale): LedgerSale {
  const { id: purchaseId, sellerId, amountCents, platformFeeCents, payment, transfer } = sale;
  const { payerAccount, takenNetCents, takenFeeCents, restorations, setAsideAt } = payment;
  if (payerAccount === null) throw new Error(`Purchase ${purchaseId} is free: it moves no money.`);
  return {
    purchaseId,
    sellerId,
    payerAccount,
    amountCents: amountCents - takenNetCents - takenFeeCents,
    platformFeeCents: platformFeeCents - takenFeeCents,
    restorations,
    returns: transfer?.returns ?? 0,
    isSetAside: setAsideAt !== null,
  };
}

/** What of the price is still in escrow, or was when it left. */
export function leftCents({ amountCents, payment: { takenNetCents, takenFeeCents } }: Sale): number {
  return amountCents - takenNetCents - takenFeeCents;
}
