import type { Operations } from '@agent-marketplace/sdk';
import { Ledger, type LedgerRow } from '../../components/ledger.tsx';
import { Instant } from '../../components/time.tsx';
import { count, money, price } from '../../format/figures.ts';
import { feeSplit } from './fee-split.ts';

type Listing = Operations['getListing']['output']['listing'];
type Meta = Operations['getMeta']['output'];

const BAND_NAMES = {
  micro: 'micro band',
  standard: 'standard band',
  high_ticket: 'high-ticket band',
} as const;

/** The price, its split, and the copies left. */
export function Offered({ listing, meta }: { listing: Listing; meta: Meta | null }) {
  const { priceCents, maxCopies, soldCount, purchaseCount, viewCount, exclusiveSold, createdAt } = listing;
  const isSoldOut = exclusiveSold || (maxCopies !== null && soldCount >= maxCopies);
  return (
    <aside class="sheet stack offered" aria-label="Offer">
      <p class="offer-price">{price(priceCents)}</p>
      {priceCents > 0 && meta && <Ledger rows={splitRows(meta, priceCents)} />}
      {isSoldOut && <p class="note stop">Sold out.</p>}
      <Ledger
        rows={[
          ...(maxCopies === null
            ? []
            : [{ label: 'Copies left', value: count(Math.max(0, maxCopies - soldCount)) }]),
          { label: 'Sold', value: count(soldCount) },
          { label: 'Purchases, including free ones', value: count(purchaseCount) },
          { label: 'Views', value: count(viewCount) },
          { label: 'Version', value: count(listing.version) },
          { label: 'Listed', value: <Instant iso={createdAt} /> },
        ]}
      />
      {listing.fulfilment === 'physical' && (
        <p class="fine">The seller ships it. The time in escrow begins with the shipment.</p>
      )}
    </aside>
  );
}

function splitRows(meta: Meta, priceCents: number): LedgerRow[] {
  const { band, buyerPaysCents, feeCents, sellerGetsCents } = feeSplit(meta, priceCents);
  return [
    { label: 'Seller gets', value: money(sellerGetsCents) },
    { label: `Fee, ${BAND_NAMES[band]}`, value: money(feeCents) },
    { label: 'You pay', value: money(buyerPaysCents), isTotal: true },
  ];
}
