import { sql } from 'drizzle-orm';
import { insertInto, prepared } from '../db/statement.ts';
import { ideas } from '../db/tables/inquiries.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';

type Idea = Readonly<typeof ideas.$inferSelect>;

export function insertIdea(idea: Idea): Statement {
  return insertInto(ideas, idea);
}

const page = prepared<{
  limit: number;
  offset: number;
}>(sql`SELECT category, created_at AS createdAt, description,
    id, impact, submitted_by AS submittedBy, title FROM ${ideas}
  ORDER BY created_at DESC, id LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);
const count = prepared(sql`SELECT COUNT(*) AS total FROM ${ideas}`);

/** Newest first. */
export async function listIdeaRows(
  market: Database,
  at: { limit: number; offset: number },
): Promise<{ ideas: Idea[]; total: number }> {
  const [rows, counted] = await Promise.all([
    market.all<Idea>(page(at)),
    market.first<{ total: number }>(count({})),
  ]);
  return { ideas: rows, total: counted?.total ?? 0 };
}
