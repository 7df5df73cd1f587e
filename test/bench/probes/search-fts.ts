import type { ProbeBindings } from './bindings.ts';
import { pageOf } from './search-page.ts';
import { signedResponse } from './sign.ts';

/**
 * Full-text search as one writes it first: a page and the exact total, in one round trip, signed. Every word by date, or
 * with `any`, any word by relevance.
 */
export default {
  async fetch(request, { SEARCH, SIGNING_KEY }) {
    const query = new URL(request.url).searchParams;
    const isAny = query.has('any');
    const words = (query.get('q')?.split(' ') ?? []).map((word) => `"${word}"`);
    const match = isAny ? words.join(' OR ') : `${words.join(' ')}*`;
    const [page, count] = await SEARCH.batch([
      SEARCH.prepare(
        `SELECT summary FROM documents_words JOIN documents ON documents.rowid = documents_words.rowid
        WHERE documents_words MATCH ? AND is_sample = 0 ORDER BY ${isAny ? 'rank' : 'created_at DESC'} LIMIT 50`,
      ).bind(match),
      SEARCH.prepare(
        `SELECT COUNT(*) AS total FROM documents_words JOIN documents ON documents.rowid = documents_words.rowid
        WHERE documents_words MATCH ? AND is_sample = 0`,
      ).bind(match),
    ]);
    return signedResponse(pageOf(page, count), SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
