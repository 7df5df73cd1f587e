import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { and, eq, gte, inArray, lt, ne, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { isGuard } from '../../db/constraint.ts';
import { type Params, query, write } from '../../db/query.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { tabs } from '../../db/tables/usdc-payments.ts';
import type { Slices } from '../../fees/index.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import { DAY_MS, dayOf, epochOf, type IsoTime, isoTime } from '../../kernel/time.ts';

/** One slice, and those whose fee it follows: of one payer, to one seller, on one day. */
export interface SliceKey {
  readonly id: string;
  readonly payer: Hex;
  readonly sellerId: string;
  /** When its amount was fixed. */
  readonly at: IsoTime;
}

interface DayParams {
  readonly id: string;
  readonly payer: Hex;
  readonly sellerId: string;
  readonly from: IsoTime;
  readonly until: IsoTime;
}

const AMOUNT = sql<number>`COALESCE(SUM(${purchases.amountCents}), 0)`;
const FEE = sql<number>`COALESCE(SUM(${purchases.platformFeeCents}), 0)`;

const OF_ITS_SALE = eq(purchases.id, tabs.purchaseId);

const isOfDay = (p: Params<DayParams>) =>
  and(
    eq(tabs.payer, p.payer),
    gte(tabs.talliedAt, p.from),
    lt(tabs.talliedAt, p.until),
    ne(purchases.id, p.id),
    eq(purchases.sellerId, p.sellerId),
    inArray(purchases.status, ['held', 'releasing', 'released']),
  );

const slices = query((p: Params<DayParams>) =>
  build
    .select({ amountCents: AMOUNT, feeCents: FEE })
    .from(tabs)
    .innerJoin(purchases, OF_ITS_SALE)
    .where(isOfDay(p)),
);

function paramsOf({ id, payer, sellerId, at }: SliceKey): DayParams {
  const from = `${dayOf(at)}T00:00:00.000Z`;
  return { id, payer, sellerId, from, until: isoTime(epochOf(from) + DAY_MS) };
}

/** What else the payer paid the seller on that day, and its fees. */
export async function sumSlices(market: Database, key: SliceKey): Promise<Slices> {
  return (await slices.first(market, paramsOf(key))) ?? { amountCents: 0, feeCents: 0 };
}

const SLICES = 'slices';

const guardSlices = write((p: Params<DayParams & { sums: string }>) => {
  const sums = build
    .select({ sums: sql`${AMOUNT} || ':' || ${FEE}` })
    .from(tabs)
    .innerJoin(purchases, OF_ITS_SALE)
    .where(isOfDay(p));
  return sql`INSERT INTO guards (name) SELECT ${sql.raw(`'${SLICES}'`)} WHERE (${sums}) <> ${p.sums}`;
});

/** Aborts where another slice was recorded since they were summed: the fee is then another one. */
export function requireSlices(key: SliceKey, { amountCents, feeCents }: Slices): Statement {
  return guardSlices({ ...paramsOf(key), sums: `${amountCents}:${feeCents}` });
}

export const isOtherSliceRecorded = (error: unknown): boolean => isGuard(error, SLICES);
