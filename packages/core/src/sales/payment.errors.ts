import { defineErrors } from '../kernel/errors.ts';
import { subsidyErrors } from '../subsidies/index.ts';

export const paymentErrors = {
  ...subsidyErrors,
  ...defineErrors({
    payments_not_available: {
      kind: 'unavailable',
      title: 'This cannot be paid for here now.',
      remedy: 'No card processor is configured in this deployment: pay from a wallet that covers the price.',
    },
    usdc_per_query: {
      kind: 'conflict',
      title: 'USDC is paid with the query itself. Nothing was charged.',
      remedy:
        'Send the query to POST /x402/listings/{id}/query, which answers with the terms of the payment.',
    },
    wallet_insufficient: {
      kind: 'payment_required',
      title: 'The wallet does not cover the price.',
      remedy: 'Add credits with POST /wallet/fund, or pay in another way.',
    },
    card_declined: {
      kind: 'payment_required',
      title: 'The saved card was declined. Nothing was charged.',
      remedy: 'Have a person save another card, or pay in another way.',
    },
    card_authentication_required: {
      kind: 'payment_required',
      title: 'The bank wants the card holder to confirm. Nothing was charged.',
      remedy: 'Pay in another way: by `checkout` a person can confirm it.',
    },
    amount_not_payable_by_card: {
      kind: 'payment_required',
      title: 'The card processor does not take this amount.',
      remedy: 'Pay from a wallet: add credits with POST /wallet/fund.',
    },
    payment_not_confirmed: {
      kind: 'unavailable',
      title: 'The card processor did not answer. Nothing was charged for good.',
      remedy: 'What was reserved is given back by itself. Send the request again after `Retry-After`.',
      retryable: true,
    },
    purchase_in_progress: {
      kind: 'conflict',
      title: 'Another request is collecting this purchase right now.',
      remedy: 'It may still be charged: send the same request again after `Retry-After`.',
      retryable: true,
      mayStillBeCharged: true,
    },
    collections_limited: {
      kind: 'rate_limited',
      title:
        'The seller failed five times within an hour and is not asked for this purchase just now. Nothing was charged.',
      remedy: 'The purchase stays paid for. Ask again after `Retry-After`.',
      retryable: true,
    },
    reservation_gone: {
      kind: 'conflict',
      title: 'What was reserved for this purchase was given back before it could be captured.',
      remedy: 'Nothing was charged. Buy again.',
    },
  }),
};
