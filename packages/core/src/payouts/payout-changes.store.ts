import {
  and,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
} from 'drizzle-orm';
import { disconnectPayouts } from '../agents/index.ts';
import { build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { abortWhere, guardOneChange } from '../db/guard.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { sellers } from '../db/tables/agents.ts';
import { payoutAccounts, payoutChanges, payoutWallets } from '../db/tables/payouts.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import { type EpochMs, type IsoTime, isoTime } from '../kernel/time.ts';
import type { PayoutAccount } from './payout-accounts.store.ts';
import { type ChangeOfDestination, freezesSince, type PayoutRoutes } from './payout-change.rules.ts';
import type { PayoutWallet } from './payout-wallets.store.ts';

/** A change of where a seller is paid, from when it is asked for. */
export type PayoutChange = Readonly<typeof payoutChanges.$inferSelect>;

const byId = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(payoutChanges)).from(payoutChanges).where(eq(payoutChanges.id, p.id)),
);

export function findPayoutChange(market: Database, id: string): Promise<PayoutChange | null> {
  return byId.first(market, { id });
}

const current = query((p: Params<{ sellerId: string; at: IsoTime; freezesSince: IsoTime }>) =>
  build
    .select(getTableColumns(payoutChanges))
    .from(payoutChanges)
    .where(
      and(
        eq(payoutChanges.sellerId, p.sellerId),
        or(
          and(isNull(payoutChanges.cancelledAt), gt(payoutChanges.effectiveAt, p.at)),
          gt(payoutChanges.cancelledAt, p.freezesSince),
        ),
      ),
    )
    .orderBy(desc(payoutChanges.requestedAt), desc(payoutChanges.id)),
);

export interface CurrentChanges {
  readonly pending: readonly PayoutChange[];
  readonly cancelled: readonly PayoutChange[];
}

/** The changes of a seller that have not taken effect yet, and those that were cancelled so lately that none can follow. */
export async function findCurrentChanges(
  market: Database,
  sellerId: string,
  now: EpochMs,
): Promise<CurrentChanges> {
  const rows = await current.all(market, { sellerId, at: isoTime(now), freezesSince: freezesSince(now) });
  return {
    pending: rows.filter(({ cancelledAt }) => cancelledAt === null),
    cancelled: rows.filter(({ cancelledAt }) => cancelledAt !== null),
  };
}

/** All that decides where a seller is paid, read at one moment: two reads could see a new wallet without its change. */
export interface SellerRoutes extends PayoutRoutes {
  readonly sellerId: string;
  readonly wallet: PayoutWallet | null;
  readonly account: PayoutAccount | null;
}

/** An account that the processor does not pay to yet is none. */
export function hasDestination({ wallet, account }: Pick<SellerRoutes, 'wallet' | 'account'>): boolean {
  return wallet !== null || (account?.enabledAt ?? null) !== null;
}

const laterChanges = (since: unknown) => sql`(SELECT json_group_array(json_object(
    'kind', ${payoutChanges.kind}, 'effectiveAt', ${payoutChanges.effectiveAt},
    'previous', ${payoutChanges.previous}, 'previousChainId', ${payoutChanges.previousChainId})
    ORDER BY ${payoutChanges.effectiveAt})
  FROM ${payoutChanges} WHERE ${payoutChanges.sellerId} = ${sellers.agentId} AND ${payoutChanges.cancelledAt} IS NULL
    AND ${payoutChanges.effectiveAt} > ${since})`;

const routesOf = query((p: Params<{ sellerIds: string; since: IsoTime }>) =>
  build
    .select({
      sellerId: sellers.agentId,
      wallet: getTableColumns(payoutWallets),
      account: getTableColumns(payoutAccounts),
      changes: laterChanges(p.since).mapWith((json: string) => JSON.parse(json) as ChangeOfDestination[]),
    })
    .from(sellers)
    .leftJoin(payoutWallets, eq(payoutWallets.sellerId, sellers.agentId))
    .leftJoin(payoutAccounts, eq(payoutAccounts.sellerId, sellers.agentId))
    .where(inArray(sellers.agentId, sql`(SELECT value FROM json_each(${p.sellerIds}))`)),
);

/** Where these sellers are paid what fell due at `since` or later, by seller. */
export async function findPayoutRoutes(
  market: Database,
  sellerIds: readonly string[],
  since: IsoTime,
): Promise<Map<string, SellerRoutes>> {
  if (sellerIds.length === 0) return new Map();
  const rows = await routesOf.all(market, { sellerIds: JSON.stringify(sellerIds), since });
  return new Map(rows.map((row) => [row.sellerId, row]));
}

const CHANGEABLE = 'payout_destination_changeable';

const abortUnlessSeen = write(
  (
    p: Params<{
      sellerId: string;
      at: IsoTime;
      freezesSince: IsoTime;
      wallet: string;
      wasPaid: number;
      isFirst: number;
    }>,
  ) => {
    const obstacle = build
      .select({ id: payoutChanges.id })
      .from(payoutChanges)
      .where(
        and(
          eq(payoutChanges.sellerId, p.sellerId),
          or(
            and(
              eq(payoutChanges.kind, 'wallet'),
              isNull(payoutChanges.cancelledAt),
              gt(payoutChanges.effectiveAt, p.at),
            ),
            and(
              gt(payoutChanges.cancelledAt, p.freezesSince),
              sql`(${payoutChanges.requestedBy} = 'key' OR NOT ${p.isFirst})`,
            ),
          ),
        ),
      );
    const wallet = build
      .select({ it: sql`${payoutWallets.chainId} || ':' || ${payoutWallets.address}` })
      .from(payoutWallets)
      .where(eq(payoutWallets.sellerId, p.sellerId));
    const account = build
      .select({ it: sql`${payoutAccounts.enabledAt} IS NOT NULL` })
      .from(payoutAccounts)
      .where(eq(payoutAccounts.sellerId, p.sellerId));
    return abortWhere(
      CHANGEABLE,
      sql`${exists(obstacle)} OR COALESCE(${wallet}, '') <> ${p.wallet} OR COALESCE(${account}, 0) <> ${p.wasPaid}`,
    );
  },
);

/**
 * Aborts where a change of wallet is under way, one was cancelled lately, or the destinations are not those that were
 * seen: two requests at once must not both take theirs for the first.
 */
export function requireChangeable(seller: SellerRoutes, now: EpochMs): Statement {
  const { sellerId, wallet, account } = seller;
  return abortUnlessSeen({
    sellerId,
    at: isoTime(now),
    freezesSince: freezesSince(now),
    wallet: wallet === null ? '' : `${wallet.chainId}:${wallet.address}`,
    wasPaid: (account?.enabledAt ?? null) === null ? 0 : 1,
    isFirst: hasDestination(seller) ? 0 : 1,
  });
}

export const isNotChangeable = (error: unknown): boolean => isGuard(error, CHANGEABLE);

export function insertPayoutChange(change: PayoutChange): Statement {
  return insertInto(payoutChanges, change);
}

const PENDING = 'payout_change_pending';

const cancel = write((p: Params<{ id: string; at: IsoTime; by: NonNullable<PayoutChange['cancelledBy']> }>) =>
  build
    .update(payoutChanges)
    .set({ cancelledAt: p.at, cancelledBy: p.by })
    .where(
      and(
        eq(payoutChanges.id, p.id),
        isNull(payoutChanges.cancelledAt),
        isNull(payoutChanges.announcedAt),
        gt(payoutChanges.effectiveAt, p.at),
      ),
    ),
);

const restoreWallet = write(
  (p: Params<{ sellerId: string; address: string; chainId: number; boundAt: IsoTime }>) =>
    build
      .update(payoutWallets)
      .set({ address: p.address, chainId: p.chainId, boundAt: p.boundAt })
      .where(eq(payoutWallets.sellerId, p.sellerId)),
);
const deleteWallet = write((p: Params<{ sellerId: string }>) =>
  build.delete(payoutWallets).where(eq(payoutWallets.sellerId, p.sellerId)),
);
const deleteAccount = write((p: Params<{ sellerId: string; accountId: string }>) =>
  build
    .delete(payoutAccounts)
    .where(and(eq(payoutAccounts.sellerId, p.sellerId), eq(payoutAccounts.accountId, p.accountId))),
);

/** Puts back what was paid before. Aborts unless the change was still to take effect. */
export function cancelChange(
  change: PayoutChange,
  by: NonNullable<PayoutChange['cancelledBy']>,
  at: IsoTime,
): Statement[] {
  return [cancel({ id: change.id, at, by }), guardOneChange(PENDING), ...restoreDestination(change)];
}

function restoreDestination({ kind, sellerId, destination, ...change }: PayoutChange): Statement[] {
  if (kind === 'account')
    // Another account can be connected then.
    return [deleteAccount({ sellerId, accountId: destination }), disconnectPayouts(sellerId)];
  const { previous: address, previousChainId: chainId, previousSince: boundAt } = change;
  if (address === null || chainId === null || boundAt === null) return [deleteWallet({ sellerId })];
  return [restoreWallet({ sellerId, address, chainId, boundAt })];
}

/** It was cancelled, or took effect, in between. */
export const isOver = (error: unknown): boolean => isGuard(error, PENDING);

const due = query((p: Params<{ at: IsoTime; limit: number }>) =>
  build
    .select(getTableColumns(payoutChanges))
    .from(payoutChanges)
    .where(
      and(
        isNull(payoutChanges.cancelledAt),
        isNull(payoutChanges.announcedAt),
        lte(payoutChanges.effectiveAt, p.at),
      ),
    )
    .orderBy(payoutChanges.effectiveAt)
    .limit(p.limit),
);

/** Changes that took effect and of which their sellers were not told yet. */
export function listUnannouncedChanges(
  market: Database,
  at: IsoTime,
  limit: number,
): Promise<PayoutChange[]> {
  return due.all(market, { at, limit });
}

const ANNOUNCED = 'payout_change_announced';

const announce = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(payoutChanges)
    .set({ announcedAt: p.at })
    .where(
      and(
        eq(payoutChanges.id, p.id),
        isNull(payoutChanges.announcedAt),
        isNull(payoutChanges.cancelledAt),
        lte(payoutChanges.effectiveAt, p.at),
      ),
    ),
);

/** Once, however many jobs run. */
export function markAnnounced(id: string, at: IsoTime): Statement[] {
  return [announce({ id, at }), guardOneChange(ANNOUNCED)];
}

export const isAnnounced = (error: unknown): boolean => isGuard(error, ANNOUNCED);

const cancelledAccounts = query((p: Params<{ sellerId: string }>) =>
  build
    .select({ id: payoutChanges.id })
    .from(payoutChanges)
    .where(
      and(
        eq(payoutChanges.sellerId, p.sellerId),
        eq(payoutChanges.kind, 'account'),
        isNotNull(payoutChanges.cancelledAt),
      ),
    ),
);

/** How many accounts of a seller were cancelled: the next one must be another. */
export async function countCancelledAccounts(market: Database, sellerId: string): Promise<number> {
  return (await cancelledAccounts.all(market, { sellerId })).length;
}
