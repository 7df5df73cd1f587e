import { and, desc, eq, sql } from 'drizzle-orm';
import { asJson, build } from '../db/build.ts';
import { type Params, query, write } from '../db/query.ts';
import { purchases } from '../db/tables/purchases.ts';
import { demandRows, designationState, settlements } from '../db/tables/statistics.ts';
import { NEWEST, type Position } from '../kernel/page-cursor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { DemandClassification, EndedFigures, Settlement, SettlementChange } from './settlement.rules.ts';

/** A row of the ledger that says something else than what is signed of it. */
export interface DueSettlement {
  readonly number: number;
  readonly revision: number;
  readonly signedRevision: number;
  readonly partyChanges: number;
  readonly partyDueAt: string;
  readonly removal: 'refunded' | 'ended' | null;
  readonly settlement: Settlement | null;
  readonly change: SettlementChange | null;
  readonly figures: EndedFigures | null;
  /** Null: it left the ledger. */
  readonly row: typeof demandRows.$inferSelect | null;
}

const due = query((p: Params<{ now: IsoTime; limit: number }>) =>
  build
    .select({
      number: settlements.number,
      revision: settlements.revision,
      signedRevision: settlements.signedRevision,
      partyChanges: settlements.partyChanges,
      partyDueAt: settlements.partyDueAt,
      removal: settlements.removal,
      settlement: settlements.settlement,
      change: settlements.change,
      figures: settlements.figures,
      row: {
        createdAt: demandRows.createdAt,
        purchaseId: demandRows.purchaseId,
        sellerId: demandRows.sellerId,
        buyerId: demandRows.buyerId,
        verticalSlug: demandRows.verticalSlug,
        rail: demandRows.rail,
        status: demandRows.status,
        class: demandRows.class,
        isReference: demandRows.isReference,
        amountCents: demandRows.amountCents,
        platformFeeCents: demandRows.platformFeeCents,
      },
    })
    .from(settlements)
    .leftJoin(purchases, eq(purchases.id, settlements.purchaseId))
    .leftJoin(
      demandRows,
      and(eq(demandRows.createdAt, purchases.createdAt), eq(demandRows.purchaseId, purchases.id)),
    )
    // As the index has it.
    .where(sql`${settlements.revision} <> ${settlements.signedRevision} AND ${settlements.dueAt} <= ${p.now}`)
    .orderBy(settlements.dueAt, settlements.number)
    .limit(p.limit),
);

/** What is to be signed: what has waited for longest first. */
export async function readDueSettlements(
  market: Database,
  now: IsoTime,
  limit: number,
): Promise<DueSettlement[]> {
  return (await due.all(market, { now, limit })) as DueSettlement[];
}

/** What was signed of a row, as it was read. `settlement` and `change` are null where they stay as they are. */
export interface SignedSettlement
  extends Pick<DueSettlement, 'number' | 'revision' | 'signedRevision' | 'partyChanges' | 'partyDueAt'> {
  readonly settlement: Settlement | null;
  readonly change: SettlementChange | null;
  readonly removedAt: IsoTime | null;
}

const saveSigned = write((p: Params<{ signed: readonly SignedSettlement[] }>) =>
  build
    .update(settlements)
    .set({
      settlement: sql`COALESCE(made.value ->> 'settlement', ${settlements.settlement})`,
      change: sql`COALESCE(made.value ->> 'change', ${settlements.change})`,
      removedAt: sql`COALESCE(made.value ->> 'removedAt', ${settlements.removedAt})`,
      partyChanges: sql`made.value ->> 'partyChanges'`,
      partyDueAt: sql`made.value ->> 'partyDueAt'`,
      signedRevision: sql`made.value ->> 'revision'`,
    })
    .from(sql`json_each(${asJson(p.signed)}) AS made`)
    // Another run that read the same rows has signed them: two statements of one settlement would be counted twice. And
    // a row whose records ended meanwhile takes no settlement back.
    .where(
      sql`${settlements.number} = made.value ->> 'number'
        AND ${settlements.signedRevision} = made.value ->> 'signedRevision'
        AND (${settlements.purchaseId} IS NOT NULL OR made.value ->> 'settlement' IS NULL)`,
    ),
);

/** Triggers hand what was signed to the log. */
export const saveSettlements = (signed: readonly SignedSettlement[]): Statement => saveSigned({ signed });

const state = query(() =>
  build
    .select({ configuredAt: designationState.configuredAt, statement: designationState.statement })
    .from(designationState),
);

export interface ClassificationState {
  readonly configuredAt: IsoTime | null;
  readonly statement: DemandClassification | null;
}

export async function readClassification(market: Database): Promise<ClassificationState> {
  const found = (await state.first(market)) as ClassificationState | null;
  return found ?? { configuredAt: null, statement: null };
}

const saveStatement = write((p: Params<{ statement: DemandClassification; before: string | null }>) =>
  build
    .update(designationState)
    .set({ statement: sql`${asJson(p.statement)}` })
    .where(sql`${designationState.statement} ->> '$.digest' IS ${p.before}`),
);

/** In the place of the one with the digest `before`; null: of none. */
export const saveClassification = (statement: DemandClassification, before: string | null): Statement =>
  saveStatement({ statement, before });

export interface RemovedSettlement extends Position {
  readonly settlement: Settlement | null;
  readonly change: SettlementChange;
}

const removedRows = query((p: Params<{ createdAt: string; id: string; limit: number }>) =>
  build
    .select({
      createdAt: sql<IsoTime>`${settlements.removedAt}`,
      id: sql<string>`CAST(${settlements.number} AS TEXT)`,
      settlement: settlements.settlement,
      change: settlements.change,
    })
    .from(settlements)
    .where(
      sql`${settlements.removedAt} IS NOT NULL
        AND (${settlements.removedAt}, ${settlements.number}) < (${p.createdAt}, CAST(${p.id} AS INTEGER))`,
    )
    .orderBy(desc(settlements.removedAt), desc(settlements.number))
    .limit(p.limit),
);

/** Settlements that are in the ledger no more, the last ones first. */
export async function readRemovedSettlements(
  market: Database,
  after: Position | null,
  limit: number,
): Promise<RemovedSettlement[]> {
  return (await removedRows.all(market, { ...(after ?? NEWEST), limit })) as RemovedSettlement[];
}
