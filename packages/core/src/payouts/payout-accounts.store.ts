import { and, eq, getTableColumns, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { connectPayouts } from '../agents/index.ts';
import { asInteger, build, excluded } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { guardOneChange } from '../db/guard.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { guards } from '../db/tables/idempotency.ts';
import { payoutAccounts } from '../db/tables/payouts.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';

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
      set: { ...excluded(payoutAccounts, 'accountId', 'country'), detailsSubmitted: false, enabledAt: null },
      setWhere: sql`${eq(payoutAccounts.payoutsEnabled, false)} AND ${payoutAccounts.accountId} <> excluded.account_id`,
    }),
);

/** Replaces the account of a seller that changed its country before payouts were enabled; an enabled one stays. */
export function savePayoutAccount(account: NewAccount): Statement {
  return saveAccount({ ...account });
}

const delay = write((p: Params<{ sellerId: string; setBy: PayoutAccount['setBy']; hours: number }>) =>
  build
    .update(payoutAccounts)
    .set({ setBy: p.setBy, waitHours: asInteger(p.hours) })
    .where(
      and(
        eq(payoutAccounts.sellerId, p.sellerId),
        isNull(payoutAccounts.enabledAt),
        sql`${payoutAccounts.waitHours} < ${asInteger(p.hours)}`,
      ),
    ),
);

/** An account that is filled in from here on is paid only so many hours after it can be. */
export function delayAccount(sellerId: string, setBy: PayoutAccount['setBy'], hours: number): Statement {
  return delay({ sellerId, setBy, hours });
}

const ACCOUNT_KNOWN = 'payout_account_known';

const saveState = write(
  (
    p: Params<{
      accountId: string;
      wasEnabled: boolean;
      payoutsEnabled: boolean;
      detailsSubmitted: boolean;
      at: IsoTime;
    }>,
  ) =>
    build
      .update(payoutAccounts)
      .set({
        payoutsEnabled: p.payoutsEnabled,
        detailsSubmitted: p.detailsSubmitted,
        checkedAt: p.at,
        enabledAt: sql`CASE WHEN ${p.payoutsEnabled} THEN COALESCE(${payoutAccounts.enabledAt}, ${p.at})
          ELSE ${payoutAccounts.enabledAt} END`,
      })
      .where(and(eq(payoutAccounts.accountId, p.accountId), eq(payoutAccounts.payoutsEnabled, p.wasEnabled))),
);

type AccountState = Pick<PayoutAccount, 'payoutsEnabled' | 'detailsSubmitted'>;

/** What the processor says of an account; once it can be paid, its seller may sell for money. */
export function saveAccountState(
  { sellerId, accountId, payoutsEnabled: wasEnabled }: PayoutAccount,
  { payoutsEnabled, detailsSubmitted }: AccountState,
  at: IsoTime,
): Statement[] {
  return [
    saveState({ accountId, wasEnabled, payoutsEnabled, detailsSubmitted, at }),
    guardOneChange(ACCOUNT_KNOWN),
    ...(payoutsEnabled ? [connectPayouts(sellerId)] : []),
  ];
}

/** It was cancelled or replaced meanwhile, or somebody else saw it change. */
export const isAccountGone = (error: unknown): boolean => isGuard(error, ACCOUNT_KNOWN);

const toCheck = query((p: Params<{ unableSince: IsoTime; ableSince: IsoTime; limit: number }>) =>
  build
    .select({ accountId: payoutAccounts.accountId })
    .from(payoutAccounts)
    .where(
      and(
        isNotNull(payoutAccounts.enabledAt),
        or(
          and(eq(payoutAccounts.payoutsEnabled, false), lte(payoutAccounts.checkedAt, p.unableSince)),
          and(eq(payoutAccounts.payoutsEnabled, true), lte(payoutAccounts.checkedAt, p.ableSince)),
        ),
      ),
    )
    .orderBy(payoutAccounts.checkedAt)
    .limit(p.limit),
);

/** Accounts that could be paid once and were not asked about for long: of those that cannot be paid now, and the others. */
export async function listAccountsToCheck(
  market: Database,
  page: { readonly unableSince: IsoTime; readonly ableSince: IsoTime; readonly limit: number },
): Promise<string[]> {
  return (await toCheck.all(market, page)).map(({ accountId }) => accountId);
}

const setChecked = write((p: Params<{ accountId: string; at: IsoTime }>) =>
  build.update(payoutAccounts).set({ checkedAt: p.at }).where(eq(payoutAccounts.accountId, p.accountId)),
);

/** One that cannot be asked about now must not keep the others waiting. */
export function setAccountChecked(accountId: string, at: IsoTime): Statement {
  return setChecked({ accountId, at });
}

const ACCOUNT_FIRST_ENABLED = 'payout_account_first_enabled';

const abortIfEnabled = write((p: Params<{ accountId: string }>) =>
  insertFrom(guards, { name: ACCOUNT_FIRST_ENABLED }, (select) =>
    select
      .from(payoutAccounts)
      .where(and(eq(payoutAccounts.accountId, p.accountId), isNotNull(payoutAccounts.enabledAt))),
  ),
);

/** Aborts if the account could be paid before. Commit it before the account's new state. */
export function requireNeverEnabled({ accountId }: PayoutAccount): Statement {
  return abortIfEnabled({ accountId });
}

export const wasEnabledBefore = (error: unknown): boolean => isGuard(error, ACCOUNT_FIRST_ENABLED);
