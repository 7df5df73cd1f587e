import { sql } from 'drizzle-orm';
import { prepared } from '../db/statement.ts';
import { agents } from '../db/tables/agents.ts';
import { ledgerAccounts } from '../db/tables/ledger.ts';
import { demandCells, demandRows, designationState } from '../db/tables/statistics.ts';
import type { Database } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Cell, Distinct, LedgerFigures, PartyClass, Rail, SaleStatus } from './demand.rules.ts';

/** Everything that totals are made of. Reading it costs the same however long the ledger is. */
export interface DemandFigures {
  readonly cells: readonly Cell[];
  readonly distinct: Distinct;
  readonly ledger: LedgerFigures;
  readonly agents: number;
  readonly configuredAt: IsoTime | null;
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
  readonly isReference: number;
  readonly createdAt: IsoTime;
}

/** Where a page begins: right after this row. */
export interface RowPosition {
  readonly createdAt: IsoTime;
  readonly id: string;
}

interface Singles {
  readonly buyers: number;
  readonly sellers: number;
  readonly agents: number;
  readonly escrowCents: number;
  readonly feesCents: number | null;
  readonly payoutsCents: number | null;
  readonly configuredAt: IsoTime | null;
  readonly first: IsoTime | null;
  readonly last: IsoTime | null;
}

const cells = prepared(sql`SELECT rail, status, class, is_reference AS isReference, is_paid AS isPaid, sales,
  gross_cents AS grossCents, fee_cents AS feeCents FROM ${demandCells} WHERE sales > 0`);

const balance = (account: string) =>
  sql`(SELECT balance_cents FROM ${ledgerAccounts} WHERE account = ${sql.raw(`'${account}'`)})`;
const total = (name: string) => sql`(SELECT value FROM totals WHERE name = ${sql.raw(`'${name}'`)})`;

const singles =
  prepared(sql`SELECT ${total('distinct_buyers')} AS buyers, ${total('distinct_sellers')} AS sellers,
  ${total('agents')} AS agents, ${total('escrow_cents')} AS escrowCents, ${balance('fees')} AS feesCents,
  COALESCE(${balance('payouts')}, 0) + COALESCE(${balance('payouts_usdc')}, 0) AS payoutsCents, (SELECT configured_at FROM ${designationState}) AS configuredAt,
  (SELECT MIN(created_at) FROM ${demandRows}) AS first, (SELECT MAX(created_at) FROM ${demandRows}) AS last`);

const rows = prepared<{ createdAt: string; id: string; limit: number }>(sql`SELECT purchase_id AS id,
    COALESCE(seller.display_name, seller.seller_label) AS seller,
    COALESCE(buyer.display_name, buyer.buyer_label) AS buyer, vertical_slug AS verticalSlug,
    amount_cents AS amountCents, platform_fee_cents AS platformFeeCents, rail, status, class,
    is_reference AS isReference, ${demandRows.createdAt} AS createdAt
  FROM ${demandRows} CROSS JOIN ${agents} AS seller ON seller.id = seller_id
    LEFT JOIN ${agents} AS buyer ON buyer.id = buyer_id
  WHERE (${demandRows.createdAt}, purchase_id) < (${sql.placeholder('createdAt')}, ${sql.placeholder('id')})
  ORDER BY ${demandRows.createdAt} DESC, purchase_id DESC LIMIT ${sql.placeholder('limit')}`);

/** Sorts after every time. */
const FROM_THE_NEWEST: RowPosition = { createdAt: '~', id: '' };

export async function readDemandFigures(market: Database): Promise<DemandFigures> {
  const [all, one] = await Promise.all([market.all<Cell>(cells({})), market.first<Singles>(singles({}))]);
  if (!one) throw new Error('A statement that always has one row had none.');
  return {
    cells: all,
    distinct: { buyers: one.buyers, sellers: one.sellers },
    ledger: {
      escrowCents: one.escrowCents,
      feesCents: one.feesCents ?? 0,
      payoutsCents: one.payoutsCents ?? 0,
    },
    agents: one.agents,
    configuredAt: one.configuredAt,
    first: one.first,
    last: one.last,
  };
}

/** Settled purchases, newest first. */
export function readDemandRows(
  market: Database,
  after: RowPosition | null,
  limit: number,
): Promise<DemandRow[]> {
  return market.all<DemandRow>(rows({ ...(after ?? FROM_THE_NEWEST), limit }));
}
