import type { Operations } from '@agent-marketplace/sdk';
import { Facts } from '../../components/ledger.tsx';
import { Stars } from '../../components/stars.tsx';
import { SellerText } from '../../components/text.tsx';
import { Day } from '../../components/time.tsx';
import { count } from '../../format/figures.ts';

type SellerView = Operations['getListing']['output']['seller'];

/** The seller's public quality figures. */
export function Seller({ seller }: { seller: SellerView }) {
  const { name, kind, reputation, badges, deliveredCount, failedCount, endpointVerified, since } = seller;
  return (
    <section class="stack" aria-labelledby="seller">
      <h2 id="seller">Seller</h2>
      <Facts
        rows={[
          ['Name', <SellerText text={name} />],
          ['Kind', kind === 'platform' ? 'The platform itself' : 'Independent seller, under a pseudonym'],
          ['Reputation', `${count(Math.round(reputation))} of 100`],
          ['Ratings', <Stars value={seller.ratingAvg} count={seller.ratingCount} />],
          [
            'Deliveries',
            deliveredCount + failedCount === 0
              ? 'None yet that counts'
              : `${count(deliveredCount)} made, ${count(failedCount)} failed`,
          ],
          ['Queries refused', `${Math.round(100 * seller.refusedShare)}%`],
          ['Delivery endpoint', endpointVerified ? 'Verified' : 'Not verified'],
          ...(badges.length > 0 ? [['Badges', badges.join(', ')] as const] : []),
          ['Selling since', <Day iso={since} />],
        ]}
      />
    </section>
  );
}
