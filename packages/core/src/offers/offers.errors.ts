import { defineErrors } from '../kernel/errors.ts';

export const offerErrors = defineErrors({
  offer_not_found: {
    kind: 'not_found',
    title: 'No offer has this id.',
    remedy: 'Use the id from the answer to the offer, and the key of its buyer or seller.',
  },
  not_offer_party: {
    kind: 'forbidden',
    title: 'The offer is between others.',
    remedy:
      'Only the buyer and the seller of an offer see it, and only its seller decides it; its buyer can take it back.',
  },
  offers_exclusive_only: {
    kind: 'conflict',
    title: 'Offers are made on exclusive listings only.',
    remedy: 'Buy the listing at its price. Personal health data is never sold by offer.',
  },
  offer_already_open: {
    kind: 'conflict',
    title: 'An offer of yours on this listing is open.',
    remedy:
      'Wait until it is decided or expires, or take it back with POST /marketplace/offers/{id}/withdraw.',
  },
  offer_not_open: {
    kind: 'conflict',
    title: 'The offer was decided before, or has expired.',
    remedy: 'Look at its `status`; the buyer can make another.',
  },
  offer_outdated: {
    kind: 'conflict',
    title: 'The offer is for the listing as it was before; nothing was sold.',
    remedy:
      'The title, description or preview has changed since. The buyer can make another offer for the listing as it is ' +
      'now; this one stays open until it expires, and counts again if the listing is as it was.',
  },
  offer_not_payable: {
    kind: 'conflict',
    title: 'The buyer cannot pay for the offer now.',
    remedy:
      "The buyer's money, its limits on spending, or the limits of the ways to pay do not allow it now. The offer stays open.",
  },
});
