import { changeListingPage, newListingPage } from './listing-editor.tsx';
import { sellerDesk } from './seller-desk.tsx';

/** The pages of the seller console. */
export const sellerPages = [
  sellerDesk({
    path: '/seller',
    title: 'Seller console',
    description: 'Listings, sales, earnings, payouts and offers of a seller, for whoever has its key.',
    lead: 'Your listings, sales, escrow and payouts.',
    view: 'overview',
    request: '/sell/me',
  }),
  sellerDesk({
    path: '/seller/listings',
    title: 'Your listings',
    description: 'What a seller has on the market, to change or take off it.',
    lead: 'What you have on the market, what waits, and what you took off it.',
    view: 'listings',
    request: '/sell/me',
  }),
  newListingPage,
  changeListingPage,
  sellerDesk({
    path: '/seller/endpoint',
    title: 'Your endpoint',
    description: 'The address that answers for what a seller sells, and the challenge that proves it.',
    lead: 'The address of your API: buyers’ requests go there, and its answers go to them.',
    view: 'endpoint',
    request: '/sell/me',
  }),
];
