export { acceptOffer } from './accept-offer.ts';
export { declineOffer } from './decline-offer.ts';
export { getOffer } from './get-offer.ts';
export { listOffers } from './list-offers.ts';
export { makeOffer } from './make-offer.ts';
export { listLiveOffers, type Offer } from './offers.store.ts';
export { withdrawOffer } from './withdraw-offer.ts';
