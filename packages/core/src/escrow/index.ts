/** What happens to money between its buyer and its seller once something was delivered. */
export { purchasePageUrl, requireBuyer } from './buyer-access.ts';
export { decideDisputeOperation as decideDispute } from './decide-dispute.ts';
export { disputePurchase } from './dispute-purchase.ts';
export { escrowErrors } from './escrow.errors.ts';
export { AUTHORIZATION_MS, DEFAULT_HOLD_HOURS, holdUntil, retryAt } from './escrow.rules.ts';
export { pageToken, purchaseId, saleStatus } from './escrow.schema.ts';
export { inLedger } from './ledger-sale.rules.ts';
export { listDisputes } from './list-disputes.ts';
export { refundKey, refundPurchase } from './refund-purchase.ts';
export { runEscrowClock } from './run-escrow-clock.ts';
export type { Payment, Rail, Sale, SaleStatus } from './sale.ts';
export { tellBuyer, tellSeller } from './sale-events.ts';
export { isSettled, statusOnceDelivered } from './sale-state.rules.ts';
export { isOvertaken, listDueSales, lookAgain, moveSale, setPayment } from './sales.store.ts';
export { settleAccount } from './settle-account.ts';
export { shipOrder } from './ship-order.ts';
