import { and, eq, sql } from 'drizzle-orm';
import { asInteger, asJson, build } from '../db/build.ts';
import { isGuard } from '../db/constraint.ts';
import { insertFrom } from '../db/insert-from.ts';
import { type Params, query, write } from '../db/query.ts';
import { guards } from '../db/tables/idempotency.ts';
import { listings } from '../db/tables/listings.ts';
import { subsidies, subsidyTotals, topUpSubsidies } from '../db/tables/sales.ts';
import { wallets } from '../db/tables/wallet.ts';
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

interface Room extends SubsidyLimit {
  readonly name: string;
}

const requireRoom = write((p: Params<{ rooms: readonly Room[]; cents: number }>) => {
  const spent = build
    .select({ cents: subsidyTotals.cents })
    .from(subsidyTotals)
    .where(
      and(
        eq(subsidyTotals.scope, sql`room.value ->> 'scope'`),
        eq(subsidyTotals.day, sql`room.value ->> 'time'`),
      ),
    );
  return insertFrom(guards, { name: sql`room.value ->> 'name'` }, (select) =>
    select
      .from(sql`json_each(${asJson(p.rooms)}) AS room`)
      .where(sql`COALESCE(${spent}, 0) + ${asInteger(p.cents)} > room.value ->> 'limitCents'`)
      .orderBy(sql`room.key`),
  );
});

/** Aborts where no more of a budget may be spent, with the first that has no room. */
export function requireRoomIn(limits: readonly SubsidyLimit[], cents: number): Statement {
  const rooms = limits.map((limit) => ({ ...limit, name: guardOf(limit.period) }));
  return requireRoom({ rooms, cents });
}

interface Spending {
  readonly scopes: readonly string[];
  readonly day: string;
  readonly cents: number;
}

const insertOfSale = write((p: Params<Spending & { purchaseId: string }>) =>
  insertFrom(
    subsidies,
    { purchaseId: p.purchaseId, scope: sql`value`, day: p.day, cents: p.cents },
    (select) => select.from(sql`json_each(${asJson(p.scopes)})`),
  ),
);

export function insertSubsidy(row: Spending & { readonly purchaseId: string }): Statement {
  return insertOfSale(row);
}

const deleteOfSale = write((p: Params<{ purchaseId: string }>) =>
  build.delete(subsidies).where(eq(subsidies.purchaseId, p.purchaseId)),
);

export function deleteSubsidies(purchaseId: string): Statement {
  return deleteOfSale({ purchaseId });
}

const insertOfTopUp = write((p: Params<Spending & { topUpId: string }>) =>
  insertFrom(
    topUpSubsidies,
    { topUpId: p.topUpId, scope: sql`value`, day: p.day, cents: p.cents },
    (select) => select.from(sql`json_each(${asJson(p.scopes)})`).where(sql`true`),
  ).onConflictDoNothing(),
);

/** What is counted already stays as it is. */
export function insertTopUpSubsidy(row: Spending & { readonly topUpId: string }): Statement {
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

const byBuyer = query((p: Params<{ buyerId: string; sellerId: string; day: string; month: string }>) => {
  const payer = sql`payer.id`;
  const scopes = BUDGETS_OF_RAILS.flatMap((budget) => {
    const prefix = sql.raw(`'${budget}:'`);
    return [sql`${prefix} || ${payer}`, sql`${prefix} || ${p.sellerId} || '/' || ${payer}`];
  });
  return build
    .select({
      instrument: sql<string | null>`payer.instrument`,
      scope: sql<string | null>`${subsidyTotals.scope}`,
      time: sql<string | null>`${subsidyTotals.day}`,
      cents: sql<number | null>`${subsidyTotals.cents}`,
    })
    .from(
      sql`(SELECT ${p.buyerId} AS id, NULL AS instrument UNION ALL SELECT 'instrument:' || ${wallets.cardFingerprint},
        ${wallets.cardFingerprint} FROM ${wallets} WHERE ${wallets.agentId} = ${p.buyerId}
        AND ${wallets.cardFingerprint} IS NOT NULL) AS payer`,
    )
    .leftJoin(
      subsidyTotals,
      sql`${subsidyTotals.scope} IN (${sql.join(scopes, sql`, `)}) AND ${subsidyTotals.day} IN (${p.day}, ${p.month})`,
    );
});

/** What a key and the card that is saved with it spent, in all and of the budgets of one seller. */
export async function readSpentBy(
  db: Database,
  { buyerId, sellerId }: { readonly buyerId: string; readonly sellerId: string },
  at: IsoTime,
): Promise<{ readonly spent: Spent; readonly instrument: string | null }> {
  const [day, month] = timesOf(at);
  const rows = await byBuyer.all(db, { buyerId, sellerId, day, month });
  const spent = new Map(
    rows.flatMap(({ scope, time, cents }) =>
      scope === null || time === null || cents === null ? [] : [[spentKey(scope, time), cents] as const],
    ),
  );
  return { spent, instrument: rows.find(({ instrument }) => instrument !== null)?.instrument ?? null };
}
