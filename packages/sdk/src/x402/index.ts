/** Paying for single queries in USDC, without an account. */
export {
  PaymentRefusedError,
  PaymentUnresolvedError,
  type TermsFault,
  TooExpensiveError,
  UnacceptableTermsError,
  type WrongAnswer,
  WrongAnswerError,
} from './errors.ts';
export {
  openTab,
  type PendingVoucher,
  PrepaidTab,
  resumeTab,
  type TabAnswer,
  type TabPayer,
  type TabQueryOptions,
} from './open-tab.ts';
export type { PaidAnswer, QueriedPurchase } from './paid-answer.ts';
export { type PayAndQueryOptions, payAndQuery, resumePayment } from './pay-and-query.ts';
export type { PayingAccount, TransferToSign } from './paying-account.ts';
export type { PendingPayment } from './pending-payment.ts';
export type { ResumeOptions } from './send-payment.ts';
export type { SignOptions } from './sign-offer.ts';
export {
  signClosing,
  signVoucher,
  type TabAccount,
  type TabMessage,
  type TabVoucher,
} from './sign-voucher.ts';
export { SpendingLimit } from './spending-limit.ts';
