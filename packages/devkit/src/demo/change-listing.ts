import { verifyListingHistory } from '@agent-marketplace/sdk';
import type { Product } from './list-product.ts';
import { type Stage, short, withoutNetwork } from './stage.ts';

/** A listing changes, and nobody can rewrite what it said before. */
export async function changeListing({ story, stranger, keys }: Stage, { seller, listingId }: Product) {
  story.chapter('The seller changes the listing in public');
  const changed = await seller.updateListing({
    listingId,
    title: 'World clock: the time anywhere, by country, city or IANA name',
    reason: 'A clearer title.',
  });
  story.fact('new title', `“${changed.title}”`);
  story.page(`/listings/${listingId}`);
  story.check(changed.version === 2, 'the change created version 2');

  const { entries } = await stranger.getListingHistory({ listingId });
  for (const { version, changeType, reason, digest } of [...entries].sort((a, b) => a.version - b.version)) {
    story.fact(`version ${version}`, `${changeType}${reason ? `: ${reason}` : ''}  ${short(digest)}`);
  }
  const history = await withoutNetwork(() => verifyListingHistory(listingId, entries, keys));
  story.check(history.valid, 'each entry is signed and has the digest of the previous one: verified offline');
  const rewritten = entries.map((entry) => ({ ...entry, reason: entry.version === 2 ? 'No reason.' : null }));
  const { valid } = await withoutNetwork(() => verifyListingHistory(listingId, rewritten, keys));
  story.check(!valid, 'a changed entry does not verify');
}
