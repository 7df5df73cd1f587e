import {
  and,
  eq,
  gt,
  inArray,
  isNotNull,
  ne,
  not,
  or,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { insertFrom } from '../../db/insert-from.ts';
import { type Params, write } from '../../db/query.ts';
import { guards } from '../../db/tables/idempotency.ts';
import { ledgerAccounts } from '../../db/tables/ledger.ts';
import { payoutBatches } from '../../db/tables/payouts.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { chargebacks, offers } from '../../db/tables/sales.ts';
import { topUpRefunds, walletTopUps } from '../../db/tables/wallet.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';

/** What has to end before an account can be erased. */
export const BLOCKER_KINDS = [
  'purchase',
  'sale',
  'offer',
  'chargeback',
  'payout',
  'top_up',
  'escrow',
  'balance',
] as const;

export interface Blocker {
  readonly kind: (typeof BLOCKER_KINDS)[number];
  /** What it is called: the id of a purchase, an offer and so on; the account of a balance. */
  readonly reference: string;
}

type Find = (
  agentId: Placeholder<string, string>,
  isPageOpen: (createdAt: SQLiteColumn) => SQL,
) => SQLWrapper;

const MOST = 20;

const openSales =
  (party: typeof purchases.buyerId | typeof purchases.sellerId): Find =>
  (agentId, isPageOpen) =>
    build
      .select({ id: purchases.id })
      .from(purchases)
      .where(
        and(
          eq(party, agentId),
          inArray(purchases.status, ['pending_payment', 'authorized', 'held', 'releasing']),
          not(sql`(${eq(purchases.status, 'pending_payment')} AND ${isPageOpen(purchases.createdAt)})`),
        ),
      )
      .limit(MOST);

const balances = (...accounts: SQL[]) =>
  build
    .select({ id: ledgerAccounts.account })
    .from(ledgerAccounts)
    .where(
      and(
        sql`${ledgerAccounts.account} IN (${sql.join(accounts, sql`, `)})`,
        ne(ledgerAccounts.balanceCents, 0),
      ),
    );

/** Each is found by an index of its own. `isPageOpen`: which pages that nobody paid are none. */
const BLOCKERS: Readonly<Record<Blocker['kind'], Find>> = {
  purchase: openSales(purchases.buyerId),
  sale: openSales(purchases.sellerId),
  offer: (id) =>
    build
      .select({ id: offers.id })
      .from(offers)
      .where(and(eq(offers.status, 'open'), or(eq(offers.buyerId, id), eq(offers.sellerId, id))))
      .limit(MOST),
  chargeback: (id) => {
    const own = build
      .select({ id: purchases.id })
      .from(purchases)
      .where(or(eq(purchases.buyerId, id), eq(purchases.sellerId, id)));
    return build
      .select({ id: chargebacks.disputeId })
      .from(chargebacks)
      .where(
        and(
          eq(chargebacks.status, 'open'),
          or(eq(chargebacks.agentId, id), inArray(chargebacks.purchaseId, own)),
        ),
      )
      .limit(MOST);
  },
  payout: (id) =>
    build
      .select({ id: payoutBatches.id })
      .from(payoutBatches)
      .where(and(eq(payoutBatches.sellerId, id), eq(payoutBatches.status, 'sending')))
      .limit(MOST),
  top_up: (agentId, isPageOpen) => {
    const topUps = build.select({ id: walletTopUps.id }).from(walletTopUps);
    const isOwn = eq(walletTopUps.agentId, agentId);
    const isOnPage = sql`(${eq(walletTopUps.source, 'checkout')} AND ${isPageOpen(walletTopUps.createdAt)})`;
    const open = topUps.where(and(isOwn, eq(walletTopUps.status, 'open'), not(isOnPage)));
    const owed = build
      .select({ id: walletTopUps.id })
      .from(walletTopUps)
      .where(and(isNotNull(walletTopUps.returnOwedSince), isOwn));
    const refunded = build
      .select({ id: topUpRefunds.topUpId })
      .from(topUpRefunds)
      .innerJoin(walletTopUps, eq(walletTopUps.id, topUpRefunds.topUpId))
      .where(and(inArray(topUpRefunds.status, ['decided', 'sent']), isOwn));
    return unionAll(open, owed, refunded).limit(MOST);
  },
  escrow: (id) => balances(sql`'escrow:' || ${id}`),
  balance: (id) => balances(sql`'wallet:' || ${id}`, sql`'refund_credit:' || ${id}`),
};

/** All but the balance: what of it goes back to cards holds nobody back. */
const READ_KINDS = BLOCKER_KINDS.filter((kind) => kind !== 'balance');

/** By when a page that nobody paid has ended, many times over: one that is open still is somebody's to look at. */
const PAGE_ENDS_WITHIN_MS = DAY_MS;

const readerOf = (kind: Blocker['kind']) =>
  write((p: Params<{ agentId: string; openSince: IsoTime }>) =>
    BLOCKERS[kind](p.agentId, (createdAt) => gt(createdAt, p.openSince)),
  );
const readers = READ_KINDS.map((kind) => [kind, readerOf(kind)] as const);

/** A page that nobody paid is none while it is new: it ends by itself, long before an erasure is carried out. */
export async function readBlockers(market: Database, agentId: string, now: EpochMs): Promise<Blocker[]> {
  const openSince = isoTime(now - PAGE_ENDS_WITHIN_MS);
  const found = await market.commit(readers.map(([, read]) => read({ agentId, openSince })));
  return readers.flatMap(([kind], at) =>
    ((found[at] ?? []) as { id: string }[]).map(({ id }) => ({ kind, reference: id })),
  );
}

const NOTHING_OPEN = 'erasure_nothing_open';

const guardOf = (kind: Blocker['kind']) =>
  write((p: Params<{ agentId: string }>) =>
    insertFrom(guards, { name: NOTHING_OPEN }, (select) =>
      select.from(sql`(${BLOCKERS[kind](p.agentId, () => sql`false`)})`),
    ),
  );
const requirements = BLOCKER_KINDS.map(guardOf);

/** Aborts where something began since they were read, or a page can still be paid. */
export function requireNoBlockers(agentId: string): Statement[] {
  return requirements.map((require) => require({ agentId }));
}

export const isBlocked = (error: unknown): boolean => isGuard(error, NOTHING_OPEN);
