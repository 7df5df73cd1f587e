import { sql } from 'drizzle-orm';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto, statement, updateSet } from '../../db/statement.ts';
import { purchases } from '../../db/tables/purchases.ts';
import { disputes, payments, shipments, transfers } from '../../db/tables/sales.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { Transfer } from '../sale.ts';
import { isChargedBack, moveSale } from '../sales.store.ts';

const isDisputed = (id: string) =>
  sql`EXISTS (SELECT 1 FROM ${disputes} WHERE purchase_id = ${id} AND decision IS NULL)`;

/**
 * Begins the transfer of a sale whose time in escrow is over: once, however many clocks run, and never while it is
 * disputed or being refunded.
 */
export function beginTransfer(
  id: string,
  transfer: {
    readonly accountId: string;
    readonly amountCents: number;
    readonly payoutBatchId: string | null;
    readonly at: IsoTime;
    /** When a job asks what became of it; null: the batch is looked at, not each of its sales. */
    readonly checkAt: IsoTime | null;
  },
): Statement[] {
  const { accountId, payoutBatchId, amountCents, at, checkAt } = transfer;
  return [
    statement(sql`UPDATE ${payments} SET transferred_cents = CAST(${amountCents} AS INTEGER), due_at = ${checkAt},
      attempts = 0
      WHERE purchase_id = ${id} AND due_at <= ${at} AND hold_until <= ${at}
        AND refund_requested_at IS NULL AND NOT ${isDisputed(id)} AND NOT ${isChargedBack(sql`${id}`)}`),
    guardOneChange('purchase_due'),
    insertInto(
      transfers,
      { purchaseId: id, accountId, releasingSince: at, payoutBatchId },
      sql`ON CONFLICT (purchase_id) DO UPDATE SET account_id = excluded.account_id,
        releasing_since = excluded.releasing_since, payout_batch_id = excluded.payout_batch_id`,
    ),
    ...moveSale(id, 'held', 'releasing'),
  ];
}

export function setTransfer(id: string, changes: Partial<Transfer>): Statement {
  return updateSet(transfers, changes, sql`purchase_id = ${id}`);
}

/** A transfer that was refused is over: the sale is in escrow again, and the next transfer is another. */
export function endRefusedTransfer(id: string, refusals: number): Statement {
  return setTransfer(id, { accountId: null, payoutBatchId: null, releasingSince: null, refusals });
}

/** Notes that a refund will be asked for: once, and only while the money is in escrow. */
export function requestRefund(id: string, reason: string, at: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET refund_requested_at = ${at}, refund_reason = ${reason}, due_at = ${at},
      attempts = 0 WHERE purchase_id = ${id} AND refund_requested_at IS NULL
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'held'`),
    guardOneChange('purchase_held'),
  ];
}

/** Starts the clock of a physical order, which a dispute stops as it does any other. */
export function recordShipment(
  id: string,
  shipment: {
    readonly shippedAt: IsoTime;
    readonly carrier: string;
    readonly trackingNumber: string;
    readonly holdUntil: IsoTime | null;
  },
): Statement[] {
  const { shippedAt, carrier, trackingNumber, holdUntil } = shipment;
  return [
    statement(sql`UPDATE ${shipments} SET shipped_at = ${shippedAt}, carrier = ${carrier},
      tracking_number = ${trackingNumber}
      WHERE purchase_id = ${id} AND shipped_at IS NULL
        AND (SELECT refund_requested_at FROM ${payments} WHERE purchase_id = ${id}) IS NULL
        AND (SELECT status FROM ${purchases} WHERE id = ${id}) = 'held'`),
    guardOneChange('purchase_to_be_shipped'),
    statement(sql`UPDATE ${payments} SET hold_until = ${holdUntil},
      due_at = CASE WHEN ${isDisputed(id)} THEN NULL ELSE ${holdUntil} END WHERE purchase_id = ${id}`),
  ];
}

/**
 * Ends the wait for the shipment of an order whose time is over, if it is not shipped, disputed, decided or refunded
 * by then.
 */
export function endWaitForShipment(id: string, at: IsoTime, failure: string): Statement[] {
  return [
    statement(sql`UPDATE ${payments} SET failure = ${failure} WHERE purchase_id = ${id} AND due_at <= ${at}
      AND EXISTS (SELECT 1 FROM ${shipments} WHERE purchase_id = ${id} AND ship_by <= ${at} AND shipped_at IS NULL)
      AND hold_until IS NULL AND refund_requested_at IS NULL
      AND NOT ${isDisputed(id)} AND NOT ${isChargedBack(sql`${id}`)}`),
    guardOneChange('purchase_unshipped'),
  ];
}
