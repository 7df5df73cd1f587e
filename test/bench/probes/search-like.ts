import type { ProbeBindings } from './bindings.ts';
import { pageOf } from './search-page.ts';
import { signedResponse } from './sign.ts';

/** The same search without a full-text index. */
export default {
  async fetch(request, { SEARCH, SIGNING_KEY }) {
    const words = new URL(request.url).searchParams.get('q')?.split(' ') ?? [];
    const where = words.map(() => "(title || ' ' || description) LIKE ?").join(' AND ');
    const patterns = words.map((word) => `%${word}%`);
    const [page, count] = await SEARCH.batch([
      SEARCH.prepare(
        `SELECT summary FROM documents WHERE ${where} AND is_sample = 0 ORDER BY created_at DESC LIMIT 50`,
      ).bind(...patterns),
      SEARCH.prepare(`SELECT COUNT(*) AS total FROM documents WHERE ${where} AND is_sample = 0`).bind(
        ...patterns,
      ),
    ]);
    return signedResponse(pageOf(page, count), SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
