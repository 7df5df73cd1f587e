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
    remedy: 'Only the buyer and the seller of an offer see it, and only its seller decides it.',
  },
  offers_exclusive_only: {
    kind: 'conflict',
    title: 'Offers are made on exclusive listings only.',
    remedy: 'Buy the listing at its price. Personal health data is never sold by offer.',
  },
  offer_already_open: {
    kind: 'conflict',
    title: 'An offer of yours on this listing is open.',
    remedy: 'Wait until it is decided or expires.',
  },
  offer_not_open: {
    kind: 'conflict',
    title: 'The offer was decided before, or has expired.',
    remedy: 'Look at its `status`; the buyer can make another.',
  },
  offer_not_payable: {
    kind: 'conflict',
    title: 'The buyer cannot pay for the offer now.',
    remedy:
      "The buyer's wallet does not cover it, and no card can: there is no card processor, or the amount is outside its " +
      'limits. The offer stays open.',
  },
});
