import { Code } from '../components/code.tsx';
import { KeyDesk } from '../components/key-desk.tsx';
import { definePage } from '../page.ts';

/** The seller console: listings, sales, earnings and payouts. */
export const sellerPage = definePage({
  path: '/seller',
  get: ({ apiBaseUrl }) => ({
    title: 'Seller console',
    description: 'Listings, sales, earnings, payouts and offers of a seller, for whoever has its key.',
    scripts: ['copy', 'seller'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Seller console</h1>
          <p class="lead">Your listings, sales, escrow and payouts.</p>
        </div>
        <KeyDesk label="The seller's API key" apiBaseUrl={apiBaseUrl}>
          <p>This page needs scripts, so that the key stays in your browser. Without them:</p>
          <Code label="Shell" text={`curl '${apiBaseUrl}/sell/me' -H 'authorization: Bearer mkt_live_…'`} />
        </KeyDesk>
      </div>
    ),
  }),
});
