export { getReconciliation } from './get-reconciliation.ts';
export {
  CARD_CLEARING_ACCOUNT,
  capture,
  escrowAccount,
  netCents,
  type Posting,
  payout,
  refund,
  releaseReserve,
  reserve,
  restore,
  type Sale,
  takeFromEscrow,
  topUp,
  USDC_CLEARING_ACCOUNT,
  WALLET_CAP_CENTS,
  walletAccount,
} from './ledger.rules.ts';
export {
  type AccountEntry,
  isAlreadyPosted,
  isOverCap,
  isOverdrawn,
  post,
  readBalance,
  readBalances,
  readStatement,
} from './ledger.store.ts';
