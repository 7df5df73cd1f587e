import { eq, getTableColumns, sql } from 'drizzle-orm';
import { connectPayouts } from '../agents/index.ts';
import { build, excluded } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import { payoutAccounts } from '../db/tables/payouts.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';

/** A seller's account at the card processor. */
export type PayoutAccount = Readonly<typeof payoutAccounts.$inferSelect>;

const ofSeller = query((p: Params<{ sellerId: string }>) =>
  build
    .select(getTableColumns(payoutAccounts))
    .from(payoutAccounts)
    .where(eq(payoutAccounts.sellerId, p.sellerId)),
);
const byAccount = query((p: Params<{ accountId: string }>) =>
  build
    .select(getTableColumns(payoutAccounts))
    .from(payoutAccounts)
    .where(eq(payoutAccounts.accountId, p.accountId)),
);

export function findPayoutAccount(market: Database, sellerId: string): Promise<PayoutAccount | null> {
  return ofSeller.first(market, { sellerId });
}

export function findByAccountId(market: Database, accountId: string): Promise<PayoutAccount | null> {
  return byAccount.first(market, { accountId });
}

type NewAccount = Pick<PayoutAccount, 'sellerId' | 'accountId' | 'country' | 'createdAt'>;

const saveAccount = write((p: Params<NewAccount>) =>
  build
    .insert(payoutAccounts)
    .values({ sellerId: p.sellerId, accountId: p.accountId, country: p.country, createdAt: p.createdAt })
    .onConflictDoUpdate({
      target: payoutAccounts.sellerId,
      set: { ...excluded(payoutAccounts, 'accountId', 'country'), detailsSubmitted: false },
      setWhere: sql`${eq(payoutAccounts.payoutsEnabled, false)} AND ${payoutAccounts.accountId} <> excluded.account_id`,
    }),
);

/** Replaces the account of a seller that changed its country before payouts were enabled; an enabled one stays. */
export function savePayoutAccount(account: NewAccount): Statement {
  return saveAccount({ ...account });
}

const saveState = write(
  (p: Params<{ sellerId: string; payoutsEnabled: boolean; detailsSubmitted: boolean }>) =>
    build
      .update(payoutAccounts)
      .set({ payoutsEnabled: p.payoutsEnabled, detailsSubmitted: p.detailsSubmitted })
      .where(eq(payoutAccounts.sellerId, p.sellerId)),
);

/** What the processor says of an account; once it can be paid, its seller may sell for money. */
export function saveAccountState(
  sellerId: string,
  { payoutsEnabled, detailsSubmitted }: Pick<PayoutAccount, 'payoutsEnabled' | 'detailsSubmitted'>,
): Statement[] {
  return [
    saveState({ sellerId, payoutsEnabled, detailsSubmitted }),
    ...(payoutsEnabled ? [connectPayouts(sellerId)] : []),
  ];
}
