/** A sale from its reservation to its end: what is true of every sale, and the rails that move its money. */
export { advanceDueSales, cancelAbandonedSales, collectDueSale } from './advance-due-sales.ts';
export { advanceSale } from './advance-sale.ts';
export { type PurchasePage, purchasePageOf, requireBuyer, requireOpenQuery } from './buyer-access.ts';
export { cancelSaleBestEffort } from './cancel-sale.ts';
export type { Content, Shown } from './delivery/fetch-content.ts';
export { type Redelivered, redeliver } from './delivery/redeliver.ts';
export { hasReceiptForm } from './delivery/sign-receipt.ts';
export type { Redelivery } from './delivery/sign-redelivery.ts';
export {
  closeDispute,
  countRejectedDisputes,
  decideDispute as decideDisputeStatements,
  hasNoDisputeRoom,
  isDecidedBefore,
  isDisputedBefore,
  listOpenDisputes,
  openDispute,
} from './disputes.store.ts';
export { decideBy, mostOpenDisputes, rejectedSince } from './escrow/disputes/dispute.rules.ts';
export { disputeDecidedEvents } from './escrow/disputes/dispute-decided-events.ts';
export { disputeStatementEvents } from './escrow/disputes/dispute-statement-events.ts';
export { notDisputable, notInEscrow } from './escrow/disputes/not-in-escrow.ts';
export { escrowErrors } from './escrow/escrow.errors.ts';
export { DEFAULT_HOLD_HOURS, DEFAULT_SHIPMENT_DAYS } from './escrow/escrow.rules.ts';
export { resumeClock } from './escrow/escrow.store.ts';
export { holdSale, isNotHeld, liftHold, liftKnownHold } from './escrow/holds.store.ts';
export { payElsewhere } from './escrow/pay-elsewhere.ts';
export { findBatch, listPayouts, makeBatchDue, type SellerPayout } from './escrow/payout-batches.store.ts';
export { DISPUTE_REFUND_REASON, isRefundable, refundSale, refundStatements } from './escrow/refund-sale.ts';
export { findClaim, insertSettlement, isRecoveryConflict } from './escrow/reserve/claim-recoveries.store.ts';
export { recoverClaims } from './escrow/reserve/recover-claims.ts';
export { DEFAULT_RESERVE } from './escrow/reserve/reserve.rules.ts';
export { readReserve } from './escrow/reserve/reserve.store.ts';
export { isRetriable } from './escrow/retry.rules.ts';
export { returnTransfers } from './escrow/return-transfers.ts';
export { runEscrowClock } from './escrow/run-escrow-clock.ts';
export { saleNotice, shownStatus } from './escrow/sale-notice.rules.ts';
export { checkPayoutAccounts, settleAccount } from './escrow/settle-account.ts';
export { shipOrder } from './escrow/ship-order.ts';
export {
  isAfter,
  isInPart,
  isShownAs,
  listPurchasesOf,
  NEWEST_FIRST,
  readByStatus,
  type SalePage,
  type SalePart,
} from './lists/sale-lists.store.ts';
export { cancelOpenSales, holdSalesOf, releaseSalesOf } from './moderation/moderation.store.ts';
export { countOpenSales } from './moderation/open-sales.store.ts';
export { paymentErrors } from './payment.errors.ts';
export {
  BULK_MAX_CENTS,
  isForBulk,
  PAYMENT_METHODS,
  railsByUnits,
  railsFor,
} from './payment-method.ts';
export { bulkErrors, deliveryErrors, purchaseErrors } from './purchases.errors.ts';
export { forgetQueries } from './queries.store.ts';
export { bookEarlyCaptures } from './rails/book-early-captures.ts';
export { findCardEvent, saveCardEvent } from './rails/card/card-events.store.ts';
export { checkObject, readCardEvents, takeCardEvent } from './rails/card/card-events.ts';
export { type Chargeback, lossCents } from './rails/card/chargeback.rules.ts';
export { type ChargebackColumns, chargebackState, viewChargeback } from './rails/card/chargeback-view.ts';
export { listRecentChargebacks, type RecentChargeback } from './rails/card/chargebacks.store.ts';
export { settleChargeback, sweepChargebacks } from './rails/card/settle-chargeback.ts';
export { findCheckoutPayment } from './rails/checkout/checkout-payments.store.ts';
export { type PaymentClue, reportCheckout } from './rails/checkout/report-checkout.ts';
export { sellFree } from './rails/free/sell-free.ts';
export type { Rail } from './rails/rail.ts';
export { railNamed } from './rails/rails.ts';
export {
  buyWithUsdc,
  repeatForUsdc,
  resumeWithUsdc,
  type UsdcOutcome,
  type UsdcWork,
} from './rails/usdc/buy-with-usdc.ts';
export { recordUnsoldPayment } from './rails/usdc/record-unsold-payment.ts';
export { refundLateSettlements } from './rails/usdc/refund-late-settlements.ts';
export { limitRefusal, platformRefusal, settlementRefusal } from './rails/usdc/settlement-refusal.ts';
export { usdcErrors } from './rails/usdc/usdc.errors.ts';
export type { UsdcOffer, UsdcPayment } from './rails/usdc/usdc-payment.ts';
export {
  findOwedReturn,
  findUsdcPayments,
  hasSettledPayment,
  isPaymentReturnOwed,
  isProofSpent,
  scheduleCheck,
  spendProof,
} from './rails/usdc/usdc-payments.store.ts';
export { FRESH_ROOM_MS, REPEAT_MS, TIME_FAULTS, timeFault } from './rails/usdc/usdc-times.rules.ts';
export { forgetCopyHolds, requireCopyHold } from './reservation/hold-copy.ts';
export { idempotencyDigestOf } from './reservation/idempotency-digest-of.ts';
export { newSale, type Order, type Spender, spenderOf, UNBOUND } from './reservation/new-sale.ts';
export {
  requireFittingQuery,
  requireForSale,
  requireOnSale,
  toSaleRefusal,
} from './reservation/require-for-sale.ts';
export { requireMaxPrice } from './reservation/require-max-price.ts';
export {
  type Reservation,
  reservationStatements,
  reserveSale,
  reserveSales,
} from './reservation/reserve-sale.ts';
export { newQueryKey, openQuery } from './reservation/sealed-query.ts';
export { awaitCollection, deletePurchases } from './reservations.store.ts';
export type {
  AttestedPurchase,
  Decision,
  Dispute,
  PaidElsewhere,
  Payment,
  PurchaseReceipt,
  Sale,
  SaleSummary,
} from './sale.ts';
export { buyerEvent, buyerNotice, sellerEvent } from './sale-events.ts';
export type { Prompt, SaleProgress } from './sale-progress.ts';
export { isSettled, type SaleStatus } from './sale-status.rules.ts';
export { CHECKOUT_MS, collectUntilOf, isLinkOver } from './sale-terms.rules.ts';
export { pageToken, purchaseId, query, rail, saleNoticeView, saleStatus } from './sales.schema.ts';
export {
  commitIdempotent,
  findSale,
  isChargedBack,
  isStatusConflict,
  requireSale,
  rescheduleCheck,
} from './sales.store.ts';

export { settlementErrors } from './settlement.errors.ts';
export { answerTabQuery, tabQueryDigest } from './tabs/answer-tab-query.ts';
export { beginTab, resumeTab, type TabOutcome } from './tabs/begin-tab.ts';
export { returnRests } from './tabs/return-rests.ts';
export { sellClosedTab } from './tabs/sell-closed-tab.ts';
export { gasOfReturn, restCentsOf, type Tab, typedClosing, typedVoucher } from './tabs/tab.rules.ts';
export { CLOSE_TAB, tabErrors, tabTooSmall } from './tabs/tabs.errors.ts';
export { findTab, findTabQuery } from './tabs/tabs.store.ts';
