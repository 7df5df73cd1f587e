import { utf8 } from '../kernel/crypto/encoding.ts';
import { RawJson } from '../kernel/json/raw-json.ts';
import type { BrowsePage } from './browse.store.ts';

/** A page's listings. Their summaries are stored in canonical form: they are joined, not parsed and serialised again. */
export function listingsOfPage<View>({ summaries }: BrowsePage): View[] {
  return new RawJson(utf8(`[${summaries.join(',')}]`)) as unknown as View[];
}
