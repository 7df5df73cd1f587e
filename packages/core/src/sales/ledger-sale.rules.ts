import {
  type Sale as LedgerSale,
  netCents,
  type Posting,
  payout,
  takeFromEscrow,
} from '../ledger/ledger.rules.ts';
import type { Sale } from './sale.ts';

/**
 * A sale as the ledger's postings name it: what banks took of it is no part of it any more, and what is withheld of it is
 * no part of what its seller is paid.
 */
export function inLedger(sale: Sale): LedgerSale {
  const { id: purchaseId, sellerId, amountCents, platformFeeCents, payment, transfer } = sale;
  const { payerAccount, takenNetCents, takenFeeCents, withheldCents, restorations, setAsideAt } = payment;
  if (payerAccount === null) throw new Error(`Purchase ${purchaseId} is free: it moves no money.`);
  return {
    purchaseId,
    sellerId,
    payerAccount,
    amountCents: amountCents - takenNetCents - takenFeeCents - withheldCents,
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

/** The seller's share leaves escrow: what it is paid, and what is withheld of it for banks, which may be all. */
export function payoutPostings(sale: Sale, way?: Parameters<typeof payout>[1]): Posting[] {
  const inBooks = inLedger(sale);
  const withheld = withholdingPosting(sale, sale.payment.withheldCents, 'withheld');
  // What is given back is in escrow before it leaves.
  return [...(withheld ? [withheld] : []), ...(netCents(inBooks) > 0 ? [payout(inBooks, way)] : [])];
}

/** Out of escrow to what banks took; negative: back. `name` tells the movements of one transfer apart. */
export function withholdingPosting(
  { id, sellerId, transfer }: Sale,
  cents: number,
  name: string,
): Posting | null {
  const reference = `${id}:${name}:${transfer?.returns ?? 0}`;
  return takeFromEscrow({ reference, sellerId, netCents: cents, feeCents: 0 });
}

/** For whoever is told of the payout. */
export const withheldOf = ({ payment: { withheldCents } }: Sale): { withheldCents?: number } =>
  withheldCents === 0 ? {} : { withheldCents };
