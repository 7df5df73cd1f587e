import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement, updateSet } from '../db/statement.ts';
import { purchases } from '../db/tables/purchases.ts';
import { disputes, payments, shipments } from '../db/tables/sales.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { Decision, Dispute } from './sale.ts';

/** A dispute with what the operator needs to decide it. */
export interface OpenDispute extends Dispute {
  readonly purchaseId: string;
  readonly listingId: string;
  readonly sellerId: string;
  readonly buyerId: string | null;
  readonly amountCents: number;
  readonly rail: string;
  readonly deliveredAt: IsoTime | null;
  readonly shippedAt: IsoTime | null;
}

const COLUMNS = sql`${disputes.purchaseId} AS purchaseId, reason, opened_at AS openedAt, decision,
  decided_at AS decidedAt`;
const open = prepared<{
  limit: number;
  offset: number;
}>(sql`SELECT ${COLUMNS}, ${purchases.listingId} AS listingId, ${purchases.sellerId} AS sellerId,
    ${purchases.buyerId} AS buyerId, ${purchases.amountCents} AS amountCents, ${purchases.rail} AS rail,
    ${purchases.deliveredAt} AS deliveredAt, ${shipments.shippedAt} AS shippedAt
  FROM ${disputes} JOIN ${purchases} ON ${purchases.id} = ${disputes.purchaseId}
    LEFT JOIN ${shipments} ON ${shipments.purchaseId} = ${disputes.purchaseId}
  WHERE decision IS NULL ORDER BY opened_at, ${disputes.purchaseId}
  LIMIT ${sql.placeholder('limit')} OFFSET ${sql.placeholder('offset')}`);
const countOpen = prepared(sql`SELECT COUNT(*) AS total FROM ${disputes} WHERE decision IS NULL`);

export async function listOpenDisputes(
  market: Database,
  page: { limit: number; offset: number },
): Promise<{ disputes: OpenDispute[]; total: number }> {
  const [rows, count] = await Promise.all([
    market.all<OpenDispute>(open(page)),
    market.first<{ total: number }>(countOpen({})),
  ]);
  return { disputes: rows, total: count?.total ?? 0 };
}

/** Opens a dispute, once, and stops the clock: only while the money is in escrow and stays there. */
export function openDispute(purchaseId: string, reason: string, openedAt: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET due_at = NULL WHERE purchase_id = ${purchaseId}
      AND refund_requested_at IS NULL AND (SELECT status FROM ${purchases} WHERE id = ${purchaseId}) = 'held'`),
    guardOneChange('purchase_held'),
    insertInto(disputes, { purchaseId, reason, openedAt }),
  ];
}

export const isDisputedBefore = (error: unknown): boolean =>
  error instanceof DatabaseError && error.kind === 'constraint' && error.constraint.startsWith('disputes.');

/** Decides an open dispute, once. To release is to end the time in escrow now. */
export function decideDispute(purchaseId: string, decision: Decision, decidedAt: IsoTime): Statement[] {
  return [
    closeDispute(purchaseId, decision, decidedAt),
    guardOneChange('dispute_open'),
    ...(decision === 'release'
      ? [
          statement(sql`UPDATE ${payments} SET due_at = ${decidedAt}, hold_until = ${decidedAt}
            WHERE purchase_id = ${purchaseId}`),
        ]
      : []),
  ];
}

/** Decides a dispute if one is open. */
export function closeDispute(purchaseId: string, decision: Decision, decidedAt: IsoTime): Statement {
  return updateSet(disputes, { decision, decidedAt }, sql`purchase_id = ${purchaseId} AND decision IS NULL`);
}

export const isDecidedBefore = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'guard dispute_open';
