import { and, desc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { build } from '../db/build.ts';
import { type Params, query } from '../db/query.ts';
import { agents } from '../db/tables/agents.ts';
import { ledgerAccounts } from '../db/tables/ledger.ts';
import { logState } from '../db/tables/provenance.ts';
import { demandCells, demandRows, designationState, settlements, totals } from '../db/tables/statistics.ts';
import { NEWEST, type Position } from '../kernel/page-cursor.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Cell, Distinct, LedgerFigures, PartyClass, Rail, SaleStatus } from './demand.rules.ts';
import type { DemandClassification, Settlement, SettlementChange } from './settlement.rules.ts';

/** Everything that totals are made of. Reading it costs the same however long the ledger is. */
export interface DemandFigures {
  readonly cells: readonly Cell[];
  /** How often a row came, changed or left. */
  readonly revision: number;
  readonly distinct: Distinct;
  readonly ledger: LedgerFigures;
  readonly agents: number;
  readonly configuredAt: IsoTime | null;
  /** What is signed of it. */
  readonly classification: DemandClassification | null;
  /** Statements that are leaves of the log before this one are all among what was read. */
  readonly treeSize: number;
  /** When the oldest and the newest settled purchase were made. */
  readonly first: IsoTime | null;
  readonly last: IsoTime | null;
}

export interface DemandRow {
  readonly id: string;
  readonly seller: string;
  /** Null: bought without an account. */
  readonly buyer: string | null;
  readonly verticalSlug: string;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly rail: Rail;
  readonly status: SaleStatus;
  readonly class: PartyClass;
  readonly isReference: boolean;
  readonly createdAt: IsoTime;
  /** What is signed of it; null: not yet. */
  readonly settlement: Settlement | null;
  /** The last change of it that was signed. */
  readonly change: SettlementChange | null;
}

const allCells = query(() =>
  build
    .select({
      rail: demandCells.rail,
      status: demandCells.status,
      class: demandCells.class,
      isReference: demandCells.isReference,
      isPaid: demandCells.isPaid,
      sales: demandCells.sales,
      grossCents: demandCells.grossCents,
      feeCents: demandCells.feeCents,
      changes: demandCells.changes,
    })
    .from(demandCells),
);

const total = (name: string) =>
  sql<number>`${build.select({ value: totals.value }).from(totals).where(eq(totals.name, name))}`;
const balance = (account: string) => {
  const read = build
    .select({ cents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.account, account));
  return sql<number>`COALESCE(${read}, 0)`;
};
const rowTime = (aggregate: 'MIN' | 'MAX') => {
  const time = sql`${sql.raw(aggregate)}(${demandRows.createdAt})`;
  return sql<IsoTime | null>`${build.select({ time }).from(demandRows)}`;
};

/** One row: the state of designations is one. */
const figures = query(() =>
  build
    .select({
      distinct: { buyers: total('distinct_buyers'), sellers: total('distinct_sellers') },
      ledger: {
        escrowCents: total('escrow_cents'),
        feesCents: balance('fees'),
        payoutsCents: sql<number>`${balance('payouts')} + ${balance('payouts_usdc')}`,
      },
      agents: total('agents'),
      configuredAt: designationState.configuredAt,
      classification: designationState.statement,
      treeSize: sql<number>`${build.select({ size: logState.size }).from(logState).where(eq(logState.only, 1))}`,
      first: rowTime('MIN'),
      last: rowTime('MAX'),
    })
    .from(designationState),
);

const seller = alias(agents, 'seller');
const buyer = alias(agents, 'buyer');

const rows = query((p: Params<{ createdAt: string; id: string; limit: number }>) =>
  build
    .select({
      id: demandRows.purchaseId,
      seller: sql<string>`COALESCE(${seller.displayName}, ${seller.sellerLabel})`,
      buyer: sql<string | null>`COALESCE(${buyer.displayName}, ${buyer.buyerLabel})`,
      verticalSlug: demandRows.verticalSlug,
      amountCents: demandRows.amountCents,
      platformFeeCents: demandRows.platformFeeCents,
      rail: demandRows.rail,
      status: demandRows.status,
      class: demandRows.class,
      isReference: demandRows.isReference,
      createdAt: demandRows.createdAt,
      settlement: settlements.settlement,
      change: settlements.change,
    })
    .from(demandRows)
    // The ledger's own order is kept: its key gives the page without a sort.
    .crossJoin(seller)
    .leftJoin(buyer, eq(buyer.id, demandRows.buyerId))
    .leftJoin(settlements, eq(settlements.purchaseId, demandRows.purchaseId))
    .where(
      and(
        eq(seller.id, demandRows.sellerId),
        sql`(${demandRows.createdAt}, ${demandRows.purchaseId}) < (${p.createdAt}, ${p.id})`,
      ),
    )
    .orderBy(desc(demandRows.createdAt), desc(demandRows.purchaseId))
    .limit(p.limit),
);

export async function readDemandFigures(market: Database): Promise<DemandFigures> {
  const [all, one] = await Promise.all([allCells.all(market), figures.first(market)]);
  if (!one) throw new Error('A statement that always has one row had none.');
  const revision = all.reduce((sum, { changes }) => sum + changes, 0);
  const cells = all.filter(({ sales }) => sales > 0);
  return { cells, revision, ...one, classification: one.classification as DemandClassification | null };
}

/** Settled purchases, newest first. */
export async function readDemandRows(
  market: Database,
  after: Position | null,
  limit: number,
): Promise<DemandRow[]> {
  return (await rows.all(market, { ...(after ?? NEWEST), limit })) as DemandRow[];
}
