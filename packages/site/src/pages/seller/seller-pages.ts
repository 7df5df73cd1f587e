import { changeListingPage, newListingPage } from './listing-editor.tsx';
import { sellerPage } from './seller-page.tsx';

/** The pages of the seller console. */
export const sellerPages = [
  sellerPage({
    path: '/seller',
    title: 'Seller console',
    description: 'Listings, sales, earnings, payouts and offers of a seller, for whoever has its key.',
    lead: 'What you earned, what is due, and what needs you.',
    view: 'overview',
    request: '/sell/me',
  }),
  sellerPage({
    path: '/seller/listings',
    title: 'Your listings',
    description: 'What a seller has on the market, to change or take off it.',
    lead: 'What you have on the market, what waits, and what you took off it.',
    view: 'listings',
    request: '/sell/me',
  }),
  newListingPage,
  changeListingPage,
  sellerPage({
    path: '/seller/orders',
    title: 'Your sales',
    description: 'Orders to ship and all sales of a seller.',
    lead: 'Orders to ship come first; then every sale, and where its money is.',
    view: 'orders',
    request: '/sales',
  }),
  sellerPage({
    path: '/seller/disputes',
    title: 'Disputes',
    description: 'Sales that a buyer or a bank disputes.',
    lead: 'Sales that a buyer or a bank disputes, and how each was decided.',
    view: 'disputes',
    request: '/sales',
  }),
  sellerPage({
    path: '/seller/payouts',
    title: 'Your payouts',
    description: 'Where a seller is paid, what is next, and what was paid.',
    lead: 'Where you are paid, what comes next, and what was paid.',
    view: 'payouts',
    request: '/sell/me',
  }),
  sellerPage({
    path: '/seller/statements',
    title: 'Statements',
    description: 'The statement of each month of a seller, with files for its books.',
    lead: 'Sales, refunds, fees and payouts of each month, for your books.',
    view: 'statements',
    request: '/sell/statements',
  }),
  sellerPage({
    path: '/seller/endpoint',
    title: 'Your endpoint',
    description: 'The address that answers for what a seller sells, and the challenge that proves it.',
    lead: 'The address of your API: buyers’ requests go there, and its answers go to them.',
    view: 'endpoint',
    request: '/sell/me',
  }),
  sellerPage({
    path: '/seller/events',
    title: 'Events',
    description: 'What happened to the sales, payouts and listings of a seller.',
    lead: 'What happened to your sales, payouts and listings.',
    view: 'events',
    request: '/sell/me',
  }),
];
