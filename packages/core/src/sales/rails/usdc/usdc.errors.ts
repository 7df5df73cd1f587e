import { defineErrors } from '../../../kernel/errors.ts';

export const usdcErrors = defineErrors({
  platform_payment_unavailable: {
    kind: 'unavailable',
    title: 'The marketplace cannot take payments in USDC just now. The fault is its own.',
    remedy: 'Send the same request with the same payment again after `Retry-After`, while it is valid.',
    retryable: true,
  },
  payer_reverted: {
    kind: 'rate_limited',
    title: 'A transfer of this account was reverted on chain less than a day ago.',
    remedy: 'Pay from another account or on another rail, or with this account after `Retry-After`.',
  },
  settlement_budget_spent: {
    kind: 'rate_limited',
    title: 'Too much gas may be lost to transfers of your account, or from your network, in one day.',
    remedy: 'Let the payments under way finish, or wait for `Retry-After`; or pay on another rail.',
    retryable: true,
  },
  contract_payer_limited: {
    kind: 'rate_limited',
    title: 'Smart accounts that have not paid here before cannot pay just now.',
    remedy: 'Pay from an ordinary account or on another rail, or wait for `Retry-After`.',
    retryable: true,
  },
  gas_too_dear: {
    kind: 'unavailable',
    title: 'Gas costs too much at the moment for a payment as small as this one.',
    remedy: 'Wait for `Retry-After`, or buy with POST /marketplace/listings/{id}/purchase.',
    retryable: true,
  },
});
