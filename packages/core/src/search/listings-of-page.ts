import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { RawJson } from '@agent-marketplace/protocol/json/raw-json.ts';
import type { BrowsePage } from './browse.store.ts';

/**
 * A page's listings. Their summaries are stored in canonical form: they are joined, not parsed and serialised again.
 * Where only some members are asked for, each listing has those and its id.
 */
export function listingsOfPage<View>({ summaries }: BrowsePage, names: readonly string[]): View[] {
  if (names.length === 0) return new RawJson(utf8(`[${summaries.join(',')}]`)) as unknown as View[];
  const isGiven = new Set(['id', ...names]);
  return summaries.map((summary) => {
    const members = Object.entries(JSON.parse(summary) as object);
    return Object.fromEntries(members.filter(([name]) => isGiven.has(name)));
  }) as View[];
}
