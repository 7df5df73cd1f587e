import { count, desc, getTableColumns } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query } from '../db/query.ts';
import { ideas } from '../db/tables/inquiries.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';

type Idea = Readonly<typeof ideas.$inferSelect>;

export function insertIdea(idea: Idea): Statement {
  return insertInto(ideas, idea);
}

const page = query((p: Params<{ limit: number; offset: number }>) =>
  build
    .select(getTableColumns(ideas))
    .from(ideas)
    .orderBy(desc(ideas.createdAt), ideas.id)
    .limit(p.limit)
    .offset(p.offset),
);
const counted = query(() => build.select({ total: count() }).from(ideas));

/** Newest first. */
export async function listIdeaRows(
  market: Database,
  at: { limit: number; offset: number },
): Promise<{ ideas: Idea[]; total: number }> {
  const [rows, all] = await Promise.all([page.all(market, at), counted.first(market)]);
  return { ideas: rows, total: all?.total ?? 0 };
}
