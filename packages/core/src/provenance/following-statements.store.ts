import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { ratings } from '../db/tables/ratings.ts';
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

const ofPurchase = query((p: Params<{ purchaseDigest: string }>) =>
  build
    .select({
      digest: sql<string>`${ratings.attestation} ->> '$.digest'`,
      isRefunded: ratings.isRefunded,
      isRemoved: ratings.isRemoved,
    })
    .from(ratings)
    // As the index has it.
    .where(eq(sql`${ratings.attestation} ->> '$.statement.purchaseDigest'`, p.purchaseDigest))
    .limit(1),
);

/** What became of the rating of a purchase, by the digest in its attestations; null: there is none. */
export function findRatingState(market: Database, purchaseDigest: string) {
  return ofPurchase.first(market, { purchaseDigest });
}
