import { Code } from '../components/code.tsx';
import { KeyDesk } from '../components/key-desk.tsx';
import { definePage } from '../page.ts';

/** A seller's shop from behind the counter. */
export const sellerPage = definePage({
  path: '/seller',
  get: ({ apiBaseUrl }) => ({
    title: 'Your shop',
    description: 'Listings, sales, earnings, payouts and offers of a seller, for whoever has its key.',
    scripts: ['copy', 'seller'],
    main: (
      <div class="sections">
        <div class="page-head">
          <h1>Your shop</h1>
          <p class="lead">What is listed, what was sold, what is in escrow and what reached you.</p>
        </div>
        <KeyDesk label="The seller's API key" apiBaseUrl={apiBaseUrl}>
          <p>This page needs scripts, so that the key stays with you. Without them:</p>
          <Code label="Shell" text={`curl '${apiBaseUrl}/sell/me' -H 'authorization: Bearer mkt_live_…'`} />
        </KeyDesk>
      </div>
    ),
  }),
});
