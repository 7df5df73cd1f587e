import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { and, eq, gte, inArray, isNotNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { abortWhere } from '../../db/guard.ts';
import { type Params, query, write } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { payments } from '../../db/tables/sales.ts';
import { tabs } from '../../db/tables/usdc-payments.ts';
import type { Slices } from '../../fees/index.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, dayOf, epochOf, type IsoTime, isoTime } from '../../kernel/time.ts';

/** One slice, and those whose fee it follows: of one buyer, to one seller, on one day. */
export interface SliceKey {
  readonly id: string;
  /** The account that pays for tabs, or the agent that buys by units from its wallet. */
  readonly buyer: { readonly payer: Hex } | { readonly buyerId: string };
  readonly sellerId: string;
  /** When its amount was fixed. */
  readonly at: IsoTime;
}

interface DayParams {
  readonly id: string;
  readonly buyer: string;
  readonly sellerId: string;
  readonly from: IsoTime;
  readonly until: IsoTime;
}

const AMOUNT = sql<number>`COALESCE(SUM(${purchases.amountCents}), 0)`;
const FEE = sql<number>`COALESCE(SUM(${purchases.platformFeeCents}), 0)`;
const SUMS = sql<string>`${AMOUNT} || ':' || ${FEE}`;

const isOtherSale = (p: Params<DayParams>) =>
  and(
    ne(purchases.id, p.id),
    eq(purchases.sellerId, p.sellerId),
    inArray(purchases.status, ['held', 'releasing', 'released']),
  );

const ofTabs = (p: Params<DayParams>) =>
  and(eq(tabs.payer, p.buyer), gte(tabs.talliedAt, p.from), lt(tabs.talliedAt, p.until), isOtherSale(p));

const ofWallet = (p: Params<DayParams>) =>
  and(
    eq(purchases.buyerId, p.buyer),
    isNotNull(payments.meter),
    gte(purchases.deliveredAt, p.from),
    lt(purchases.deliveredAt, p.until),
    isOtherSale(p),
  );

const SLICES = 'slices';

const guard = (sums: SQL, known: Params<{ sums: string }>['sums']) =>
  abortWhere(SLICES, sql`(${sums}) <> ${known}`);

const sumsOfTabs = (p: Params<DayParams>) =>
  build
    .select({ sums: SUMS })
    .from(tabs)
    .innerJoin(purchases, eq(purchases.id, tabs.purchaseId))
    .where(ofTabs(p));

const sumsOfWallet = (p: Params<DayParams>) =>
  build
    .select({ sums: SUMS })
    .from(purchases)
    .innerJoin(payments, eq(payments.purchaseId, purchases.id))
    .where(ofWallet(p));

const BY_TABS = {
  sums: query(sumsOfTabs),
  require: write((p: Params<DayParams & { sums: string }>) => guard(sql`${sumsOfTabs(p)}`, p.sums)),
};

const BY_WALLET = {
  sums: query(sumsOfWallet),
  require: write((p: Params<DayParams & { sums: string }>) => guard(sql`${sumsOfWallet(p)}`, p.sums)),
};

const waysOf = ({ buyer }: SliceKey) => ('payer' in buyer ? BY_TABS : BY_WALLET);

function paramsOf({ id, buyer, sellerId, at }: SliceKey): DayParams {
  const from = `${dayOf(at)}T00:00:00.000Z`;
  const until = isoTime(epochOf(from) + DAY_MS);
  return { id, buyer: 'payer' in buyer ? buyer.payer : buyer.buyerId, sellerId, from, until };
}

/** What else the buyer paid the seller so on that day, and its fees. */
export async function sumSlices(market: Database, key: SliceKey): Promise<Slices> {
  const { sums = '0:0' } = (await waysOf(key).sums.first(market, paramsOf(key))) ?? {};
  const [amountCents = 0, feeCents = 0] = sums.split(':').map(Number);
  return { amountCents, feeCents };
}

/** Aborts where another slice was recorded since they were summed: the fee is then another one. */
export function requireSlices(key: SliceKey, { amountCents, feeCents }: Slices): Statement {
  return waysOf(key).require({ ...paramsOf(key), sums: `${amountCents}:${feeCents}` });
}

export const isOtherSliceRecorded = (error: unknown): boolean => isGuard(error, SLICES);
