/** What buyers do: buy, buy many, look again. */
export { bulkPurchase } from './bulk-purchase.ts';
export { getPurchase } from './get-purchase.ts';
export { getPurchaseLink } from './get-purchase-link.ts';
export { listPurchases } from './list-purchases.ts';
export { withOpenRails } from './open-rails.ts';
export { purchaseListing } from './purchase-listing.ts';
export { type PurchaseView, purchaseView, relayedOf, viewPurchase } from './purchases.schema.ts';
export { writeReceiptMails } from './write-receipt-mails.ts';
