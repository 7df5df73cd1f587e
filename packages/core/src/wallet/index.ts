export { maybeAutoRecharge, type RechargeOutcome } from './auto-recharge.ts';
export { completeSetup } from './complete-setup.ts';
export { configureAutoRecharge } from './configure-auto-recharge.ts';
export { fundWallet } from './fund-wallet.ts';
export { type WalletFunds, walletFunds } from './funds.ts';
export { getWalletBalance } from './get-wallet-balance.ts';
export { giveUpBalance } from './give-up-balance.ts';
export { listWalletTransactions } from './list-wallet-transactions.ts';
export { stopRecharging } from './recharge.store.ts';
export type { BalanceReturn } from './refunds/refund-plan.rules.ts';
export {
  planBalanceReturn,
  returnBalance,
  settleTopUpRefunds,
} from './refunds/return-balance.ts';
export { isRefundUnderWay } from './refunds/top-up-refunds.store.ts';
export { settleTopUp, type TopUpReference } from './settle-top-up.ts';
export { setupPaymentMethod } from './setup-payment-method.ts';
export { sweepTopUps } from './sweep-top-ups.ts';
export { findTopUp, rescheduleTopUp, type TopUp } from './top-ups.store.ts';
export { walletErrors } from './wallet.errors.ts';
export { deleteWallet, type WalletCard } from './wallet.store.ts';
export { findPaymentsOfPurchase, readWalletLots } from './wallet-lots.ts';
