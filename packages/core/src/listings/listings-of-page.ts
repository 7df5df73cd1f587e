import { utf8 } from '../kernel/crypto/encoding.ts';
import { RawJson } from '../kernel/json/raw-json.ts';
import type { ListingView } from './listings.schema.ts';
import type { BrowsePage } from './search.store.ts';

/** A page's listings. They are stored in canonical form: joined, not parsed and serialised again. */
export function listingsOfPage({ summaries }: BrowsePage): ListingView[] {
  return new RawJson(utf8(`[${summaries.join(',')}]`)) as unknown as ListingView[];
}
