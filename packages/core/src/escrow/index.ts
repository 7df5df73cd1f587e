/** What happens to money between its buyer and its seller once something was delivered. */
export { purchasePageUrl, requireBuyer } from './buyer-access.ts';
export type { Chargeback } from './chargeback.rules.ts';
export { type ChargebackColumns, chargebackState, viewChargeback } from './chargeback-view.ts';
export { chargebackColumns, coverChargeback, findLostChargeback } from './chargebacks.store.ts';
export { decideDisputeOperation as decideDispute } from './decide-dispute.ts';
export { disputePurchase } from './dispute-purchase.ts';
export { disputeState, ownDispute, stateOfDispute, viewOwnDispute } from './dispute-view.ts';
export type { Decision, Dispute } from './disputes.store.ts';
export { escrowErrors } from './escrow.errors.ts';
export {
  AUTHORIZATION_MS,
  DEFAULT_HOLD_HOURS,
  DEFAULT_SHIPMENT_DAYS,
  holdUntil,
  retryAt,
  shipBy,
} from './escrow.rules.ts';
export { pageToken, purchaseId, saleStatus } from './escrow.schema.ts';
export { inLedger } from './ledger-sale.rules.ts';
export { listDisputes } from './list-disputes.ts';
export { canReceive } from './pay-in-usdc.ts';
export { listPayouts, type SellerPayout } from './payout-batches.store.ts';
export { refundKey, refundPurchase } from './refund-purchase.ts';
export { runEscrowClock } from './run-escrow-clock.ts';
export type { Payment, Rail, Sale, SaleStatus } from './sale.ts';
export { tellBuyer, tellSeller } from './sale-events.ts';
export { isSettled, statusOnceDelivered } from './sale-state.rules.ts';
export { isOvertaken, listDueSales, lookAgain, moveSale, setPayment } from './sales.store.ts';
export { settleAccount } from './settle-account.ts';
export { settleChargeback, sweepChargebacks } from './settle-chargeback.ts';
export { shipOrder } from './ship-order.ts';
