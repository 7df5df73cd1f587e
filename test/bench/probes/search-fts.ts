import type { ProbeBindings } from './bindings.ts';
import { pageOf } from './search-page.ts';
import { signedResponse } from './sign.ts';

/** Full-text search as one writes it first: a page by date and the exact total, in one round trip, signed. */
export default {
  async fetch(request, { SEARCH, SIGNING_KEY }) {
    const words = new URL(request.url).searchParams.get('q')?.split(' ') ?? [];
    const match = `${words.map((word) => `"${word}"`).join(' ')}*`;
    const [page, count] = await SEARCH.batch([
      SEARCH.prepare(
        `SELECT summary FROM documents_text JOIN documents ON documents.rowid = documents_text.rowid
        WHERE documents_text MATCH ? AND is_sample = 0 ORDER BY created_at DESC LIMIT 50`,
      ).bind(match),
      SEARCH.prepare(
        `SELECT COUNT(*) AS total FROM documents_text JOIN documents ON documents.rowid = documents_text.rowid
        WHERE documents_text MATCH ? AND is_sample = 0`,
      ).bind(match),
    ]);
    return signedResponse(pageOf(page, count), SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
