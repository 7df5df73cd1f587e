import type { Ports } from '../../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../../kernel/time.ts';
import { findListing, isListingChanged, readActiveListings } from '../listings.store.ts';
import { nextVersion } from '../next-version.ts';
import { refreshAfterChange } from '../refresh-search-documents.ts';

type OffMarketPorts = Pick<Ports, 'market' | 'search' | 'signer' | 'clock' | 'ids' | 'log'>;

/** Of one run: the next one goes on. */
const LISTINGS_AT_ONCE = 20;

/** Takes listings of a seller off the market, each with its signed history entry. Answers whether there are more. */
export async function takeOffMarket(
  ports: OffMarketPorts,
  sellerId: string,
  reason: string,
): Promise<boolean> {
  const ids = await readActiveListings(ports.market, sellerId, LISTINGS_AT_ONCE);
  for (const id of ids) {
    try {
      await deactivate(ports, id, reason, isoTime(ports.clock.now()));
    } catch (error) {
      // Its seller changed it meanwhile: it is there for the next run.
      if (!isListingChanged(error)) throw error;
    }
  }
  await refreshAfterChange(ports, ids);
  return ids.length > 0;
}

async function deactivate(
  ports: OffMarketPorts,
  id: string,
  reason: string,
  changedAt: IsoTime,
): Promise<void> {
  const listing = await findListing(ports.market, id);
  if (listing === null) return;
  const { statements } = await nextVersion(
    ports,
    listing,
    { ...listing, status: 'inactive' },
    {
      changeType: 'deactivated',
      changedAt,
      changes: { active: { from: true, to: false }, status: { from: listing.status, to: 'inactive' } },
      reason,
    },
  );
  await ports.market.commit(statements);
}
