import { agentDesk } from '../components/desk-page.tsx';

/** The seller console: listings, sales, earnings and payouts. */
export const sellerPage = agentDesk({
  path: '/seller',
  title: 'Seller console',
  description: 'Listings, sales, earnings, payouts and offers of a seller, for whoever has its key.',
  script: 'seller',
  lead: 'Your listings, sales, escrow and payouts.',
  label: "The seller's API key",
  requests: [{ path: '/sell/me' }],
});
