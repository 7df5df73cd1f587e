import { eq, getTableColumns, sql } from 'drizzle-orm';
import { build, excluded } from '../../../db/build.ts';
import { type Params, query, write } from '../../../db/query.ts';
import { chargebackShares } from '../../../db/tables/sales.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';

/** What a chargeback of a top-up claims of one sale that it paid for, and took of it. */
export type ChargebackShare = Readonly<typeof chargebackShares.$inferSelect>;

const ofDispute = query((p: Params<{ disputeId: string }>) =>
  build
    .select(getTableColumns(chargebackShares))
    .from(chargebackShares)
    .where(eq(chargebackShares.disputeId, p.disputeId)),
);

export function listShares(market: Database, disputeId: string): Promise<ChargebackShare[]> {
  return ofDispute.all(market, { disputeId });
}

const taken = query((p: Params<{ purchaseId: string }>) =>
  build
    .select({ cents: sql<number>`COALESCE(SUM(${chargebackShares.takenCents}), 0)` })
    .from(chargebackShares)
    .where(eq(chargebackShares.purchaseId, p.purchaseId)),
);

/** What all chargebacks together took of a sale. */
export async function readTakenOf(market: Database, purchaseId: string): Promise<number> {
  return (await taken.first(market, { purchaseId }))?.cents ?? 0;
}

const save = write((p: Params<ChargebackShare>) =>
  build
    .insert(chargebackShares)
    .values({
      disputeId: p.disputeId,
      purchaseId: p.purchaseId,
      claimedCents: p.claimedCents,
      takenCents: p.takenCents,
    })
    .onConflictDoUpdate({
      target: [chargebackShares.disputeId, chargebackShares.purchaseId],
      set: excluded(chargebackShares, 'claimedCents', 'takenCents'),
    }),
);

export function saveShare(share: ChargebackShare): Statement {
  return save(share);
}
