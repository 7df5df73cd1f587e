import { defineErrors } from '../kernel/errors.ts';

export const ratingErrors = defineErrors({
  rating_removed: {
    kind: 'conflict',
    title: 'An operator removed your rating of this listing.',
    remedy:
      'You rate it no more, with no purchase of it. Appeal with POST /appeals; the id of the decision is in the event ' +
      '`moderation.decided`.',
  },
  purchase_not_paid: {
    kind: 'conflict',
    title: 'Only a purchase that was paid for and delivered can be rated.',
    remedy:
      'Rate once the purchase is `held`, `releasing` or `released`. Free purchases are not rated: a rating says that a ' +
      'paying buyer left it.',
  },
  purchase_of_other_listing: {
    kind: 'not_found',
    title: 'The listing has no purchase with this id: it was of another one.',
    remedy: "Rate the listing that the purchase's `listingId` names.",
  },
});
