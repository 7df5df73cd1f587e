import { defineErrors } from '../../kernel/errors.ts';

export const escrowErrors = defineErrors({
  purchase_not_found: {
    kind: 'not_found',
    title: 'No purchase has this id.',
    remedy: 'Use the id from the purchase response, and the key that bought.',
  },
  not_purchase_owner: {
    kind: 'forbidden',
    title: 'The purchase belongs to another buyer.',
    remedy: 'Use the key that bought, or the link of the purchase: it is for its buyer only.',
  },
  purchase_link_expired: {
    kind: 'forbidden',
    title: 'The link of this purchase has expired.',
    remedy:
      'Ask for a new one with GET /marketplace/purchases/{id}/link and the key that bought. A payment over x402 that is ' +
      'sent again is answered with a new one. Without either, write to POST /inquiries with the receipt of the purchase.',
  },
  not_sale_owner: {
    kind: 'forbidden',
    title: 'The sale belongs to another seller.',
    remedy: 'Use the key of the seller whose listing was bought.',
  },
  not_to_be_shipped: {
    kind: 'conflict',
    title: 'There is nothing to ship for this purchase now.',
    remedy: 'Only a physical order that was paid and delivered is shipped, and only once.',
  },
  not_in_escrow: {
    kind: 'conflict',
    title: 'The money of this purchase is not in escrow.',
    remedy: 'A dispute can be opened while the purchase is `held`, and only once.',
  },
  not_in_escrow_yet: {
    kind: 'conflict',
    title: 'The money of this purchase is not in escrow yet.',
    remedy: 'Send the same request again once the purchase is `held`.',
    retryable: true,
  },
  dispute_open: {
    kind: 'conflict',
    title: 'A dispute about this purchase is open already.',
    remedy:
      'See it with GET /marketplace/purchases/{id}/dispute, and say more with POST /marketplace/purchases/{id}/dispute/statements.',
  },
  dispute_limit: {
    kind: 'conflict',
    title: 'You have as many disputes open at once as you may.',
    remedy:
      'Wait until one of them is decided, which takes 14 days at most. Each dispute of yours that was decided for the seller ' +
      'within 90 days halves how many may be open: 20, 10, 5, 2, 1.',
  },
  dispute_not_found: {
    kind: 'not_found',
    title: 'No dispute was opened about this purchase.',
    remedy: 'List the open ones with GET /admin/disputes.',
  },
  dispute_decided: {
    kind: 'conflict',
    title: 'This dispute was decided before.',
    remedy: 'A decision stands. Look at the purchase for where it led.',
  },
  refund_not_possible: {
    kind: 'conflict',
    title: 'This purchase was paid in USDC, and no chain is configured to pay it back on.',
    remedy: 'Configure the chain (X402_RPC_URL and what goes with it) and decide again, or decide `release`.',
  },
});
