import type { ProbeBindings } from './bindings.ts';
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
    const summaries = (page?.results as { summary: string }[]).map(({ summary }) => summary);
    const total = (count?.results as { total: number }[])[0]?.total ?? 0;
    return signedResponse(`{"listings":[${summaries.join(',')}],"total":${total}}`, SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
