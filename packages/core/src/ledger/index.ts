export { carryForward } from './carry-forward.ts';
export { closeLedgerPeriod } from './close-ledger-period.ts';
export { endPeriods } from './end-periods.ts';
export { endEntries, endFunded, findEndedMonth, findKeepsLedger, keepSums } from './ended-entries.store.ts';
export { exportPostings } from './export-postings.ts';
export { getReconciliation } from './get-reconciliation.ts';
export {
  CARD_CLEARING_ACCOUNT,
  capture,
  escrowAccount,
  giveUp,
  netCents,
  type Posting,
  payout,
  payoutGas,
  payoutGasAccount,
  type RefundWay,
  recoverClaim,
  refund,
  refundCreditAccount,
  refundTopUp,
  releaseReserve,
  reserve,
  reserveTopUpRefund,
  restore,
  restoreTopUp,
  returnPayout,
  type Sale,
  settleClaimBy,
  takeFromEscrow,
  topUp,
  USDC_CLEARING_ACCOUNT,
  WALLET_CAP_CENTS,
  walletAccount,
} from './ledger.rules.ts';
export {
  isAlreadyPosted,
  isOverCap,
  isOverdrawn,
  post,
  readBalance,
  readBalances,
} from './ledger.store.ts';
export { listLedgerPeriods } from './list-ledger-periods.ts';
export { adjustLedger } from './outside/adjust-ledger.ts';
export { bookGasCosts } from './outside/book-gas-costs.ts';
export { bookProcessorEntries } from './outside/book-processor-entries.ts';
export { bookTabGas, bookTabPayment, bookTabReturn } from './outside/booked-tabs.store.ts';
export { compareLedgerEntries } from './outside/compare-ledger-entries.ts';
export { readChainTransfers } from './outside/read-chain-transfers.ts';
export { balancesOf, listUpcoming, upcomingView, watchUpcoming } from './outside/upcoming.ts';
export { isMonth, isSettled, type Month, monthOf, monthsBack } from './period.rules.ts';
export { afterEntry, monthField } from './periods.schema.ts';
export { type MonthBounds, readMonthBounds } from './periods.store.ts';
export { recordsEnded, requireHeld } from './require-held.ts';
export {
  balanceOf,
  openTopUpsOf,
  refundCreditOf,
  reservationsOf,
  walletRoom,
} from './wallet-room.store.ts';
