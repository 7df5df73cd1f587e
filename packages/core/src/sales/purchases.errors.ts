import { defineErrors } from '../kernel/errors.ts';

export const purchaseErrors = defineErrors({
  copy_holds_limited: {
    kind: 'rate_limited',
    title: 'No further copy is held for you just now. Nothing was charged.',
    remedy:
      'Copies of limited and exclusive listings are held for half an hour after a page is paid. Collect those that are ' +
      'held for you. After two that you paid for and did not collect, wait for `Retry-After`, or pay from the wallet.',
    retryable: true,
  },
  own_listing: {
    kind: 'forbidden',
    title: 'You cannot buy your own listing.',
    remedy: 'Buy with another agent; sales to oneself are not sales.',
  },
  buyer_limited: {
    kind: 'forbidden',
    title: 'This agent buys nothing priced until the operator lifts that.',
    remedy:
      'A top-up of its wallet was taken back by the bank of its card, or refunded. Ask the operator with POST /inquiries or on ' +
      'the page /contact.',
  },
  listing_not_active: {
    kind: 'conflict',
    title: 'The listing is not for sale now.',
    remedy: 'It is pending or was taken off the market; look at its `status`.',
  },
  sold_out: {
    kind: 'conflict',
    title: 'Every copy of the listing is sold.',
    remedy: 'Look for another listing; limited and exclusive ones are never oversold.',
  },
  metered_listing: {
    kind: 'conflict',
    title: 'This listing is priced by units, and this way to pay takes all that it reserves.',
    remedy: 'Pay from the wallet (`payment_method: "wallet"`), or on a tab (POST /x402/tabs).',
  },
  listing_changed_while_buying: {
    kind: 'conflict',
    title: 'The listing changed while it was being bought; nothing was bought.',
    remedy: 'Read the listing again and repeat the purchase if it still suits you.',
    retryable: true,
  },
  price_above_max: {
    kind: 'conflict',
    title: 'It costs more than you would give; nothing was bought.',
    remedy: 'See `detail` for what it costs now. Send a higher limit if it is worth that to you, or none.',
  },
  query_not_accepted: {
    kind: 'invalid',
    title: 'The query does not fit the listing.',
    remedy: "See the listing's inputSchema and exampleQuery.",
  },
  query_required: {
    kind: 'invalid',
    title: 'The listing needs a query, and none was sent.',
    remedy: "Send one that fits the listing's inputSchema; exampleQuery is one.",
  },
  attestation_required: {
    kind: 'unprocessable',
    title: 'Personal health data needs an intended use and a full attestation.',
    remedy: 'Send buyer_intended_use, and buyer_attestation with each of its members true.',
  },
});

/** What only a purchase of many listings can run into. */
export const bulkErrors = defineErrors({
  bulk_too_large: {
    kind: 'invalid',
    title: 'The listings cost more than 50000 cents together.',
    remedy: 'Buy them in several calls.',
  },
  bulk_out_of_time: {
    kind: 'conflict',
    title:
      'The card processor was slow, and there was no time left for this listing. Nothing was reserved for it.',
    remedy: 'Ask for it again.',
    retryable: true,
  },
  not_in_bulk: {
    kind: 'conflict',
    title: 'This listing is not sold in bulk.',
    remedy:
      'Limited, exclusive and personal health listings are bought one at a time, and so is what is priced by units.',
  },
});

/** How a delivery may end that was none; nothing is charged for it. */
export const deliveryErrors = defineErrors({
  delivery_unavailable: {
    kind: 'upstream_failed',
    title: 'The seller does not have this right now. Nothing was charged.',
    remedy: 'Try another query or come back later.',
    retryable: true,
  },
  delivery_failed: {
    kind: 'upstream_failed',
    title: 'The seller failed to deliver. Nothing was charged.',
    remedy: 'Try again later or choose another seller; see the reputation of this one.',
  },
  query_refused: {
    kind: 'upstream_failed',
    title: 'The seller refused the query. Nothing was charged.',
    remedy: "Send another query: see the listing's inputSchema, description and exampleQuery.",
  },
  delivery_invalid: {
    kind: 'upstream_failed',
    title: 'What the seller sent cannot be sold as it is. Nothing was charged.',
    remedy: 'The data was withheld: see `detail`. Choose another seller, or try another query.',
  },
  delivery_integrity_mismatch: {
    kind: 'upstream_failed',
    title: 'What the seller sent does not have the digest it claims. Nothing was charged.',
    remedy: 'The data was withheld. Choose another seller, or try again later.',
  },
  delivery_too_large: {
    kind: 'upstream_failed',
    title: 'The seller sent more than 10 MB, or more than 200,000 JSON values. Nothing was charged.',
    remedy: 'Ask for less with a narrower query.',
  },
  delivery_timed_out: {
    kind: 'upstream_timed_out',
    title: 'The seller did not deliver within 30 seconds. Nothing was charged.',
    remedy: 'Try again later or choose another seller.',
    retryable: true,
  },
  mailbox_busy: {
    kind: 'rate_limited',
    title: 'Too many requests wait for this seller to fetch them. Nothing was charged.',
    remedy:
      'Wait for the seconds in `Retry-After`. Agents that never paid share a fifth of the places, the busiest network is ' +
      'refused first; a purchase that is paid finds room. It is not counted as a failure of the seller.',
    retryable: true,
  },
  relay_busy: {
    kind: 'unavailable',
    title: 'Too many large deliveries were under way for this one to be finished. Nothing was charged.',
    remedy: 'Try again in some seconds. It is not counted as a failure of the seller.',
    retryable: true,
  },
});
