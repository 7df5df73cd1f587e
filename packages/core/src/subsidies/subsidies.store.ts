import { and, eq, type SQL, sql } from 'drizzle-orm';
import { asInteger, build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { insertInto } from '../db/insert-into.ts';
import { type Params, query, write } from '../db/query.ts';
import { listings } from '../db/tables/listings.ts';
import { subsidies, subsidyTotals, topUpSubsidies } from '../db/tables/sales.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import {
  BUDGETS_OF_RAILS,
  type Spent,
  type SubsidyLimit,
  type SubsidyPeriod,
  spentKey,
  timesOf,
} from './subsidy.rules.ts';

const PERIODS: readonly SubsidyPeriod[] = ['day', 'month'];
const guardOf = (period: SubsidyPeriod): string => `subsidy_spent_${period}`;

/** Whose budget has no room left; null: another reason, or none. */
export function spentPeriod(error: unknown): SubsidyPeriod | null {
  return PERIODS.find((period) => isGuard(error, guardOf(period))) ?? null;
}

interface Room {
  readonly name: string;
  readonly scope: string;
  readonly time: string;
  readonly cents: number;
  readonly limitCents: number;
}

const requireRoom = write((p: Params<Room>): SQL => {
  const spent = build
    .select({ cents: subsidyTotals.cents })
    .from(subsidyTotals)
    .where(and(eq(subsidyTotals.scope, p.scope), eq(subsidyTotals.day, p.time)));
  return sql`INSERT INTO guards (name) SELECT ${p.name}
    WHERE COALESCE(${spent}, 0) + ${asInteger(p.cents)} > ${asInteger(p.limitCents)}`;
});

/** Aborts where no more of a budget may be spent. */
export function requireRoomIn({ period, scope, time, limitCents }: SubsidyLimit, cents: number): Statement {
  return requireRoom({ name: guardOf(period), scope, time, limitCents, cents });
}

export function insertSubsidy(row: typeof subsidies.$inferInsert): Statement {
  return insertInto(subsidies, row);
}

const deleteOfSale = write((p: Params<{ purchaseId: string }>) =>
  build.delete(subsidies).where(eq(subsidies.purchaseId, p.purchaseId)),
);

export function deleteSubsidies(purchaseId: string): Statement {
  return deleteOfSale({ purchaseId });
}

const insertOfTopUp = write(
  (
    p: Params<typeof topUpSubsidies.$inferInsert>,
  ) => sql`INSERT INTO ${topUpSubsidies} (top_up_id, scope, day, cents)
    VALUES (${p.topUpId}, ${p.scope}, ${p.day}, ${asInteger(p.cents)}) ON CONFLICT DO NOTHING`,
);

/** What is counted already stays as it is. */
export function insertTopUpSubsidy(row: typeof topUpSubsidies.$inferInsert): Statement {
  return insertOfTopUp(row);
}

const deleteOfTopUp = write((p: Params<{ topUpId: string }>) =>
  build.delete(topUpSubsidies).where(eq(topUpSubsidies.topUpId, p.topUpId)),
);

export function deleteTopUpSubsidies(topUpId: string): Statement {
  return deleteOfTopUp({ topUpId });
}

const inAll = sql.join(
  BUDGETS_OF_RAILS.map((budget) => sql.raw(`'${budget}'`)),
  sql`, `,
);
const ofSeller = sql.join(
  BUDGETS_OF_RAILS.map((budget) => sql`${sql.raw(`'${budget}:'`)} || ${listings.sellerId}`),
  sql`, `,
);
const spentOnListing = query((p: Params<{ listingId: string; day: string; month: string }>) =>
  build
    .select({ scope: subsidyTotals.scope, time: subsidyTotals.day, cents: subsidyTotals.cents })
    .from(listings)
    .innerJoin(
      subsidyTotals,
      sql`${subsidyTotals.scope} IN (${inAll}, ${ofSeller}) AND ${subsidyTotals.day} IN (${p.day}, ${p.month})`,
    )
    .where(eq(listings.id, p.listingId)),
);

/** What was spent of the budgets in all and by a listing's seller: a row for each, at most. */
export async function readSpent(db: Database, listingId: string, at: IsoTime): Promise<Spent> {
  const [day, month] = timesOf(at);
  const rows = await spentOnListing.all(db, { listingId, day, month });
  return new Map(rows.map(({ scope, time, cents }) => [spentKey(scope, time), cents]));
}
