export { getPurchase } from './get-purchase.ts';
export type { Purchase, PurchaseReceipt, PurchaseReceiptStatement } from './purchase.ts';
export { purchaseListing } from './purchase-listing.ts';
