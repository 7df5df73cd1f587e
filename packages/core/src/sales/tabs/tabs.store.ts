import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import {
  and,
  asc,
  eq,
  exists,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lte,
  ne,
  type Placeholder,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { asInteger, build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { abortWhere, guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { payments } from '../../db/tables/sales.ts';
import { tabQueries, tabs } from '../../db/tables/usdc-payments.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';
import { bookTabPayment } from '../../ledger/index.ts';
import { recordSettledBy } from '../rails/usdc/usdc-payments.store.ts';
import { lowerAmount } from '../reservations.store.ts';
import type { Sale } from '../sale.ts';
import { TAB_MS, type Tab, type TabQuery, type Tally, type Voucher } from './tab.rules.ts';

const byId = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(tabs)).from(tabs).where(eq(tabs.purchaseId, p.id)),
);

export function findTab(market: Database, id: string): Promise<Tab | null> {
  return byId.first(market, { id });
}

const bySequence = query((p: Params<{ tabId: string; sequence: number }>) =>
  build
    .select(getTableColumns(tabQueries))
    .from(tabQueries)
    .where(and(eq(tabQueries.tabId, p.tabId), eq(tabQueries.sequence, asInteger(p.sequence)))),
);

export function findTabQuery(market: Database, tabId: string, sequence: number): Promise<TabQuery | null> {
  return bySequence.first(market, { tabId, sequence });
}

const answered = query((p: Params<{ tabId: string }>) =>
  build
    .select({ sequence: tabQueries.sequence, contentDigest: tabQueries.contentDigest })
    .from(tabQueries)
    .where(and(eq(tabQueries.tabId, p.tabId), eq(tabQueries.status, 'charged')))
    .orderBy(asc(tabQueries.sequence)),
);

/** Those that were charged, in the order of their vouchers. */
export function listAnswered(market: Database, tabId: string) {
  return answered.all(market, { tabId });
}

/** Written with its sale. */
export function insertTab(tab: Pick<Tab, 'purchaseId' | 'payer' | 'chainId' | 'limitMicros'>): Statement {
  return insertInto(tabs, tab);
}

const open = write((p: Params<{ id: string; expiresAt: IsoTime }>) =>
  build
    .update(tabs)
    .set({ expiresAt: p.expiresAt })
    .where(and(eq(tabs.purchaseId, p.id), isNull(tabs.expiresAt))),
);

const setEnd = write((p: Params<{ id: string }>) => {
  const end = build.select({ expiresAt: tabs.expiresAt }).from(tabs).where(eq(tabs.purchaseId, p.id));
  return build
    .update(payments)
    .set({ collectUntil: sql`(${end})` })
    .where(eq(payments.purchaseId, p.id));
});

/** The chain shows its payment: vouchers are taken. May be written twice. */
export function markOpen(
  { id, amountCents }: Pick<Sale, 'id' | 'amountCents'>,
  transaction: Hex,
  at: EpochMs,
): Statement[] {
  return [
    open({ id, expiresAt: isoTime(at + TAB_MS) }),
    bookTabPayment(transaction, amountCents, isoTime(at)),
    setEnd({ id }),
    recordSettledBy(id, transaction),
  ];
}

/** A decided end of the sale ends its tab, too. */
const SALE_IS_OPEN = sql`EXISTS (SELECT 1 FROM ${purchases} JOIN ${payments} ON ${payments.purchaseId} = ${purchases.id}
  WHERE ${purchases.id} = ${tabs.purchaseId} AND ${purchases.status} = 'authorized' AND ${payments.outcome} IS NULL)`;

const takesVouchers = (p: { readonly now: Placeholder<'now', IsoTime> }) =>
  and(isNull(tabs.closedAt), sql`${tabs.expiresAt} > ${p.now}`, SALE_IS_OPEN);

const VOUCHER_TAKEN = 'tab_voucher';

interface TakenVoucher {
  readonly id: string;
  readonly sequence: number;
  readonly ceilingMicros: number;
  readonly priceMicros: number;
  readonly now: IsoTime;
}

const takeVoucher = write((p: Params<TakenVoucher>) => {
  const ceiling = asInteger(p.ceilingMicros);
  return build
    .update(tabs)
    .set({ sequence: asInteger(p.sequence), ceilingMicros: ceiling })
    .where(
      and(
        eq(tabs.purchaseId, p.id),
        takesVouchers(p),
        sql`${tabs.sequence} < ${asInteger(p.sequence)}`,
        sql`${tabs.ceilingMicros} <= ${ceiling}`,
        sql`${ceiling} <= ${tabs.limitMicros}`,
        sql`${tabs.chargedMicros} + ${tabs.reservedMicros} + ${asInteger(p.priceMicros)} <= ${ceiling}`,
      ),
    );
});

/** Takes a voucher and reserves what its query costs: all or nothing. Of two at once, one is refused. */
export function reserveTabQuery(
  draw: Pick<TabQuery, 'id' | 'tabId' | 'priceMicros' | 'leasedUntil'>,
  { sequence, queryDigest, ceilingMicros }: Voucher,
  now: IsoTime,
): Statement[] {
  return [
    takeVoucher({ id: draw.tabId, sequence, ceilingMicros, priceMicros: draw.priceMicros, now }),
    guardOneChange(VOUCHER_TAKEN),
    insertInto(tabQueries, { ...draw, sequence, queryDigest }),
  ];
}

type RetakenVoucher = TakenVoucher & { readonly leasedUntil: IsoTime };

const retakeVoucher = write((p: Params<RetakenVoucher>) => {
  const isLast = build
    .select({ id: tabs.purchaseId })
    .from(tabs)
    .where(
      and(
        eq(tabs.purchaseId, tabQueries.tabId),
        takesVouchers(p),
        eq(tabs.sequence, asInteger(p.sequence)),
        eq(tabs.ceilingMicros, asInteger(p.ceilingMicros)),
        sql`${tabs.chargedMicros} + ${tabs.reservedMicros} + ${asInteger(p.priceMicros)} <= ${tabs.ceilingMicros}`,
      ),
    );
  return build
    .update(tabQueries)
    .set({ status: 'reserved', priceMicros: asInteger(p.priceMicros), leasedUntil: p.leasedUntil })
    .where(and(eq(tabQueries.id, p.id), eq(tabQueries.status, 'released'), exists(isLast)));
});

/** The last voucher again, which brought nothing: its query is asked anew. */
export function retakeTabVoucher(
  { id, priceMicros, leasedUntil }: Pick<TabQuery, 'id' | 'priceMicros' | 'leasedUntil'>,
  { sequence, ceilingMicros }: Voucher,
  now: IsoTime,
): Statement[] {
  return [
    retakeVoucher({ id, sequence, ceilingMicros, priceMicros, leasedUntil, now }),
    guardOneChange(VOUCHER_TAKEN),
  ];
}

export const isVoucherRefused = (error: unknown): boolean => isGuard(error, VOUCHER_TAKEN);

const QUERY_RESERVED = 'tab_query_reserved';

export interface ChargedTabQuery {
  readonly id: string;
  readonly contentDigest: string;
  readonly receipt: object;
  /** At most what was reserved. */
  readonly priceMicros: number;
  readonly units: number | null;
}

const charge = write((p: Params<ChargedTabQuery>) =>
  build
    .update(tabQueries)
    .set({
      status: 'charged',
      contentDigest: p.contentDigest,
      receipt: p.receipt,
      priceMicros: asInteger(p.priceMicros),
      units: asInteger(p.units),
    })
    .where(and(eq(tabQueries.id, p.id), eq(tabQueries.status, 'reserved'))),
);

/** Charges a query for its receipted answer. Aborts if it was released before. */
export function chargeTabQuery(query: ChargedTabQuery): Statement[] {
  return [charge(query), guardOneChange(QUERY_RESERVED)];
}

export const isQueryEnded = (error: unknown): boolean => isGuard(error, QUERY_RESERVED);

/** Enough for answers that are lost on the way, and too few to have a seller work for one voucher. */
const MAX_REPEATS = 10;

const countOneRepeat = query((p: Params<{ id: string }>) =>
  build
    .update(tabQueries)
    .set({ repeats: sql`${tabQueries.repeats} + 1` })
    .where(and(eq(tabQueries.id, p.id), sql`${tabQueries.repeats} < ${MAX_REPEATS}`))
    .returning({ repeats: tabQueries.repeats }),
);

/** Counts that the seller is asked for an answer again: how often it was, with this time; null: as often as it is. */
export async function countRepeat(market: Database, id: string): Promise<number | null> {
  return (await countOneRepeat.first(market, { id }))?.repeats ?? null;
}

const release = write((p: Params<{ id: string }>) =>
  build
    .update(tabQueries)
    .set({ status: 'released' })
    .where(and(eq(tabQueries.id, p.id), eq(tabQueries.status, 'reserved'))),
);

/** Nothing was answered: what was reserved is the payer's again. */
export function releaseTabQuery(id: string): Statement {
  return release({ id });
}

const releaseDead = write((p: Params<{ tabId: string; now: IsoTime }>) =>
  build
    .update(tabQueries)
    .set({ status: 'released' })
    .where(
      and(
        eq(tabQueries.tabId, p.tabId),
        eq(tabQueries.status, 'reserved'),
        lte(tabQueries.leasedUntil, p.now),
      ),
    ),
);

/** Those whose request died. */
export function releaseUnanswered(tabId: string, now: IsoTime): Statement {
  return releaseDead({ tabId, now });
}

const close = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(tabs)
    .set({ closedAt: p.at })
    .where(and(eq(tabs.purchaseId, p.id), isNull(tabs.closedAt))),
);

const beDue = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(payments)
    .set({ dueAt: p.at, attempts: 0 })
    .where(and(eq(payments.purchaseId, p.id), sql`changes() = 1`)),
);

/** A job sells it, should whoever closes it not live to. May be written twice. */
export function markClosed(id: string, at: IsoTime): Statement[] {
  return [close({ id, at }), beDue({ id, at })];
}

const TALLIED = 'tab_tallied';

const SELLER = sql`(SELECT ${purchases.sellerId} FROM ${purchases} WHERE ${purchases.id} = ${tabs.purchaseId})`;

/** Of other tabs of its payer with its seller. What was refunded is credit no more. */
const CREDIT = sql<number>`COALESCE((SELECT SUM(earlier.credit_micros) FROM ${tabs} AS earlier
  JOIN ${purchases} AS sold ON sold.id = earlier.purchase_id
  WHERE earlier.payer = ${tabs.payer} AND earlier.chain_id = ${tabs.chainId} AND earlier.credit_micros > 0
    AND earlier.purchase_id <> ${tabs.purchaseId} AND sold.status <> 'refunded' AND sold.seller_id = ${SELLER}), 0)`;

const credit = query((p: Params<{ id: string }>) =>
  build
    .select({ micros: CREDIT })
    .from(tabs)
    // Of one table alone, columns would be named without it, and be those of the tabs before.
    .innerJoin(purchases, eq(purchases.id, tabs.purchaseId))
    .where(eq(tabs.purchaseId, p.id)),
);

/** What earlier tabs of its payer with its seller were rounded up by, and no other tab has used. */
export async function sumCredit(market: Database, id: string): Promise<number> {
  return (await credit.first(market, { id }))?.micros ?? 0;
}

interface TallyParams {
  readonly id: string;
  readonly chargedMicros: number;
  readonly restCents: number;
  readonly creditMicros: number;
  readonly earlierMicros: number;
  readonly at: IsoTime;
}

const tally = write((p: Params<TallyParams>) =>
  build
    .update(tabs)
    .set({
      talliedAt: p.at,
      restCents: asInteger(p.restCents),
      creditMicros: asInteger(p.creditMicros),
    })
    .where(
      and(
        eq(tabs.purchaseId, p.id),
        isNotNull(tabs.closedAt),
        isNull(tabs.talliedAt),
        eq(tabs.reservedMicros, 0),
        eq(tabs.chargedMicros, asInteger(p.chargedMicros)),
        sql`${CREDIT} = ${asInteger(p.earlierMicros)}`,
        SALE_IS_OPEN,
      ),
    ),
);

const spendCredit = write((p: Params<{ id: string }>) => {
  const own = alias(tabs, 'own');
  const payer = build
    .select({ payer: own.payer, chainId: own.chainId })
    .from(own)
    .where(eq(own.purchaseId, p.id));
  const sellerOf = (id: SQLWrapper) =>
    build.select({ sellerId: purchases.sellerId }).from(purchases).where(eq(purchases.id, id));
  return build
    .update(tabs)
    .set({ creditMicros: 0 })
    .where(
      and(
        gt(tabs.creditMicros, 0),
        ne(tabs.purchaseId, p.id),
        sql`(${tabs.payer}, ${tabs.chainId}) = ${payer}`,
        sql`${sellerOf(tabs.purchaseId)} = ${sellerOf(p.id)}`,
      ),
    );
});

/** Fixes what a closed tab is sold for, once no query is out: what is left of its payment is no part of the sale. */
export function tallyTab(
  { purchaseId: id, chargedMicros }: Tab,
  { amountCents, restCents, creditMicros }: Tally,
  earlierMicros: number,
  at: IsoTime,
): Statement[] {
  return [
    tally({ id, chargedMicros, restCents, creditMicros, earlierMicros, at }),
    guardOneChange(TALLIED),
    spendCredit({ id }),
    ...lowerAmount({ id, amountCents }, TALLIED),
  ];
}

export const isTallied = (error: unknown): boolean => isGuard(error, TALLIED);

const fixGas = write((p: Params<{ id: string; gasCents: number }>) =>
  build
    .update(tabs)
    .set({ returnGasCents: sql`COALESCE(${tabs.returnGasCents}, ${asInteger(p.gasCents)})` })
    .where(eq(tabs.purchaseId, p.id)),
);

/** Before a tab that was not used is paid back: asked for again, the same sum is. */
export function fixReturnGas(id: string, gasCents: number): Statement {
  return fixGas({ id, gasCents });
}

const endUnused = write((p: Params<{ id: string; transaction: Hex }>) =>
  build
    .update(tabs)
    .set({ returnTransaction: p.transaction })
    .where(and(eq(tabs.purchaseId, p.id), isNull(tabs.talliedAt))),
);

/** All of a tab was paid back with its sale. Of one that was sold, what was left goes back apart. */
export function endUnusedTab(id: string, transaction: Hex): Statement {
  return endUnused({ id, transaction });
}

const isLeft = and(sql`${tabs.restCents} > 0`, isNull(tabs.returnTransaction));

const anyRest = query((p: Params<{ chainId: number }>) =>
  build
    .select({ purchaseId: tabs.purchaseId })
    .from(tabs)
    .where(and(isLeft, eq(tabs.chainId, asInteger(p.chainId))))
    .limit(1),
);

/** Whether anything is left to be sent: else nobody need ask what gas costs. */
export async function hasRests(market: Database, chainId: number): Promise<boolean> {
  return (await anyRest.first(market, { chainId })) !== null;
}

interface RestTerms {
  readonly chainId: number;
  /** What sending costs now. */
  readonly gasCents: number;
  readonly now: IsoTime;
  readonly limit: number;
}

const rests = query((p: Params<RestTerms>) =>
  build
    .select({
      payer: tabs.payer,
      chainId: tabs.chainId,
      newest: sql<string>`MAX(${tabs.purchaseId})`,
      returnId: tabs.returnId,
      gasCents: sql<number | null>`MAX(${tabs.returnGasCents})`,
      restCents: sql<number>`SUM(${tabs.restCents})`,
      attempts: sql<number>`MAX(${tabs.returnAttempts})`,
    })
    .from(tabs)
    .where(and(isLeft, eq(tabs.chainId, asInteger(p.chainId))))
    .groupBy(tabs.payer, tabs.chainId, tabs.returnId)
    // Neither those that wait for more nor those that were refused may take the place of others.
    .having(
      and(
        sql`(${tabs.returnId} IS NOT NULL OR SUM(${tabs.restCents}) > ${asInteger(p.gasCents)})`,
        sql`COALESCE(MAX(${tabs.returnDueAt}), '') <= ${p.now}`,
      ),
    )
    .limit(p.limit),
);

/** What is left of closed tabs, of one payer together. */
export interface Rest {
  readonly payer: Hex;
  readonly chainId: number;
  readonly newest: string;
  /** Null: it was not begun to be sent. */
  readonly returnId: string | null;
  readonly gasCents: number | null;
  readonly restCents: number;
  /** How often it was refused. */
  readonly attempts: number;
}

/** Those that are more than their gas, or were begun to be sent, and that are due. */
export function listRests(market: Database, terms: RestTerms): Promise<Rest[]> {
  return rests.all(market, terms);
}

const begin = write((p: Params<{ payer: Hex; chainId: number; returnId: string; gasCents: number }>) =>
  build
    .update(tabs)
    .set({ returnId: p.returnId, returnGasCents: asInteger(p.gasCents) })
    .where(
      and(
        eq(tabs.payer, p.payer),
        eq(tabs.chainId, asInteger(p.chainId)),
        isNull(tabs.returnId),
        sql`${tabs.restCents} > 0`,
        isNull(tabs.returnTransaction),
      ),
    ),
);

/** From here on these rests are sent together, and no other with them. */
export function beginReturn({ payer, chainId, newest }: Rest, gasCents: number): Statement {
  return begin({ payer, chainId, returnId: newest, gasCents });
}

const postpone = write((p: Params<{ returnId: string; attempts: number; dueAt: IsoTime }>) =>
  build
    .update(tabs)
    .set({
      returnId: null,
      returnGasCents: null,
      returnAttempts: asInteger(p.attempts),
      returnDueAt: p.dueAt,
    })
    .where(and(eq(tabs.returnId, p.returnId), isNull(tabs.returnTransaction))),
);

/** Nothing of it was ever sent: it is its payer's as before, and is sent with what else is left until then. */
export function postponeReturn(returnId: string, attempts: number, dueAt: IsoTime): Statement {
  return postpone({ returnId, attempts, dueAt });
}

const end = write((p: Params<{ returnId: string; transaction: Hex }>) =>
  build
    .update(tabs)
    .set({ returnTransaction: p.transaction })
    .where(and(eq(tabs.returnId, p.returnId), isNull(tabs.returnTransaction))),
);

const RETURNED_ONCE = 'tab_returned';
const requireReturned = write(() => abortWhere(RETURNED_ONCE, sql`changes() = 0`));

/** They were sent. Aborts if that is recorded. */
export function endReturn(returnId: string, transaction: Hex): Statement[] {
  return [end({ returnId, transaction }), requireReturned()];
}

export const isReturnedBefore = (error: unknown): boolean => isGuard(error, RETURNED_ONCE);
