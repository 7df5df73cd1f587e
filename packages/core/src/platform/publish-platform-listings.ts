import { insertPlatformSeller } from '../agents/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { splitIntoBatches } from '../kernel/split-into-batches.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { findListingIds, insertListing, newListing, refreshSearchDocuments } from '../listings/index.ts';
import { PLATFORM_AGENT_ID, type PlatformListing } from './platform-listing.ts';
import { PLATFORM_LISTINGS } from './platform-listings.ts';

type PublishPorts = Pick<Ports, 'market' | 'search' | 'signer' | 'ids' | 'keyedHash' | 'clock'>;

/** Rows written in one transaction. */
const BATCH = 20;

/**
 * Puts the platform's own listings on the market: those that the code has and the database lacks.
 * Repeating it changes nothing. Returns how many were added.
 */
export async function publishPlatformListings(ports: PublishPorts): Promise<number> {
  const publishedIds = await findListingIds(
    ports.market,
    PLATFORM_LISTINGS.map(({ id }) => id),
  );
  const unpublished = PLATFORM_LISTINGS.filter(({ id }) => !publishedIds.has(id));
  if (unpublished.length === 0) return 0;
  const at = isoTime(ports.clock.now());
  const seller = await insertPlatformSeller(ports, PLATFORM_AGENT_ID, at);
  await ports.market.commit(seller);
  for (const batch of splitIntoBatches(unpublished, BATCH)) {
    const rows = await Promise.all(batch.map((listing) => rowsOf(ports, listing, at)));
    await ports.market.commit(rows.flat());
    await refreshSearchDocuments(
      ports,
      batch.map(({ id }) => id),
    );
  }
  return unpublished.length;
}

async function rowsOf(ports: PublishPorts, listing: PlatformListing, at: IsoTime) {
  const { row, entry } = await newListing(
    ports,
    { ...listing, priceCents: 0, listingType: 'standard', fulfilment: 'digital', images: [] },
    {
      sellerId: PLATFORM_AGENT_ID,
      sellerKind: 'platform',
      status: 'active',
      verticalSlug: listing.verticalSlug,
      isSample: listing.kind === 'reference',
      createdAt: at,
    },
  );
  return insertListing(row, entry);
}
