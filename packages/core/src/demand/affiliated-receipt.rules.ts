/** A sale of a related business on its own site. Of no effect on any total of the marketplace. */
export interface AffiliatedReceipt {
  readonly id: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly merchantSiteOrigin: string;
  readonly description: string;
  readonly amountCents: number;
  readonly rail: string;
  readonly mode: 'live' | 'test';
  readonly status: 'paid' | 'refunded';
  readonly paidAt: string;
}

/**
 * What the platform signs when such a sale is recorded. It is made anew from the row each time it is checked,
 * so that a row which was changed no longer fits its signature.
 */
export function affiliatedStatement(receipt: AffiliatedReceipt) {
  return {
    amountCents: receipt.amountCents,
    description: receipt.description,
    id: receipt.id,
    merchant: {
      id: receipt.merchantId,
      name: receipt.merchantName,
      siteOrigin: receipt.merchantSiteOrigin,
    },
    mode: receipt.mode,
    paidAt: receipt.paidAt,
    party: 'affiliated' as const,
    rail: receipt.rail,
    status: receipt.status,
    type: 'affiliated_receipt' as const,
  };
}
