import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { answers } from '../db/tables/sales.ts';
import type { Database } from '../kernel/ports/database.ts';

const ofReceipt = query((p: Params<{ digest: string }>) =>
  build
    .select({ digest: sql<string>`json_extract(${answers.redelivery}, '$.digest')` })
    .from(answers)
    .where(
      and(
        // As the index has it.
        eq(sql`json_extract(${answers.redelivery}, '$.statement.previousReceiptDigest')`, p.digest),
        isNotNull(answers.redelivery),
      ),
    )
    .limit(1),
);

/** The digest of the statement that adds to a receipt; null: none does. */
export async function findFollowingStatement(market: Database, digest: string): Promise<string | null> {
  return (await ofReceipt.first(market, { digest }))?.digest ?? null;
}
