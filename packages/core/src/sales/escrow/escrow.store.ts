import {
  and,
  eq,
  exists,
  isNotNull,
  isNull,
  lte,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { asInteger, build, excluded } from '../../db/build.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertWhere } from '../../db/insert-from.ts';
import { type Params, toStatement, write } from '../../db/query.ts';
import { disputes, gatheredSales, payments, shipments, transfers } from '../../db/tables/sales.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { Sale, Transfer } from '../sale.ts';
import { hasStatus, isChargedBack, moveSale, rescheduleCheck } from '../sales.store.ts';
import { isHeldByOperator } from './holds.store.ts';
import { fitsUnder } from './reserve/reserve.store.ts';
import { undoWithholdings, withhold } from './reserve/seller-claims.store.ts';
import { type Withholding, withheldCentsOf } from './reserve/withholding.rules.ts';

function isDisputed(purchaseId: SQLWrapper): SQL {
  const undecided = and(eq(disputes.purchaseId, purchaseId), isNull(disputes.decision));
  return exists(build.select({ id: disputes.purchaseId }).from(disputes).where(undecided));
}

function isGathered(purchaseId: SQLWrapper): SQL {
  const row = eq(gatheredSales.purchaseId, purchaseId);
  return exists(build.select({ id: gatheredSales.purchaseId }).from(gatheredSales).where(row));
}

const gather = write((p: Params<{ id: string; sellerId: string; waitsUntil: IsoTime }>) =>
  insertWhere(
    gatheredSales,
    { purchaseId: p.id, sellerId: p.sellerId, waitsUntil: p.waitsUntil },
    hasStatus(p.id, 'held'),
  ).onConflictDoNothing(),
);

/** Has a due sale wait for more of its seller, unless it moved on since it was read. It is looked at again. */
export function gatherSale(sale: Sale, waitsUntil: IsoTime, checkAt: IsoTime): Statement[] {
  const { id, sellerId, payment } = sale;
  return [gather({ id, sellerId, waitsUntil }), rescheduleCheck(sale, checkAt, payment.attempts)];
}

const beginPayout = write(
  (
    p: Params<{
      id: string;
      amountCents: number;
      at: IsoTime;
      checkAt: IsoTime | null;
      since: string;
      limitCents: number;
    }>,
  ) =>
    build
      .update(payments)
      .set({
        transferredCents: asInteger(p.amountCents),
        dueAt: p.checkAt,
        attempts: 0,
      })
      .where(
        and(
          eq(payments.purchaseId, p.id),
          or(lte(payments.dueAt, p.at), and(isNotNull(payments.dueAt), isGathered(p.id))),
          lte(payments.holdUntil, p.at),
          isNull(payments.refundRequestedAt),
          not(isDisputed(p.id)),
          not(isChargedBack(p.id)),
          not(isHeldByOperator(p.id)),
          fitsUnder(p),
        ),
      ),
);

const saveTransfer = write(
  (p: Params<{ id: string; accountId: string; at: IsoTime; payoutBatchId: string | null }>) =>
    build
      .insert(transfers)
      .values({
        purchaseId: p.id,
        accountId: p.accountId,
        releasingSince: p.at,
        payoutBatchId: p.payoutBatchId,
      })
      .onConflictDoUpdate({
        target: transfers.purchaseId,
        set: excluded(transfers, 'accountId', 'releasingSince', 'payoutBatchId'),
      }),
);

/**
 * Begins the transfer of a sale whose time in escrow is over: once, however many clocks run, and never while it is
 * disputed, being refunded, or more than may be outstanding.
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
    /** What may be outstanding with it, `since` a day; null: any sum. */
    readonly limitCents: number | null;
    readonly since: string;
    /** None where it is left out. */
    readonly withholdings?: readonly Withholding[];
  },
): Statement[] {
  const limitCents = transfer.limitCents ?? Number.MAX_SAFE_INTEGER;
  const { withholdings = [] } = transfer;
  // What was withheld before and is given back with it is not of this sale's price.
  const amountCents = transfer.amountCents + Math.min(0, withheldCentsOf(withholdings));
  return [
    ...withholdings.map((one) => withhold(id, one)),
    beginPayout({ id, ...transfer, amountCents, limitCents }),
    guardOneChange('purchase_due'),
    saveTransfer({ id, ...transfer }),
    ...moveSale(id, 'held', 'releasing'),
  ];
}

export function setTransfer(id: string, changes: Partial<Transfer>): Statement {
  return toStatement(build.update(transfers).set(changes).where(eq(transfers.purchaseId, id)));
}

/** A transfer that was refused is over: the sale is in escrow again, whole, and the next transfer is another. */
export function endRefusedTransfer(id: string, refusals: number): Statement[] {
  return [
    setTransfer(id, { accountId: null, payoutBatchId: null, releasingSince: null, refusals }),
    undoWithholdings(id),
  ];
}

const noteRefund = write((p: Params<{ id: string; reason: string; at: IsoTime }>) =>
  build
    .update(payments)
    .set({ refundRequestedAt: p.at, refundReason: p.reason, dueAt: p.at, attempts: 0 })
    .where(and(eq(payments.purchaseId, p.id), isNull(payments.refundRequestedAt), hasStatus(p.id, 'held'))),
);

/** Notes that a refund will be asked for: once, and only while the money is in escrow. */
export function requestRefund(id: string, reason: string, at: IsoTime): Statement[] {
  return [noteRefund({ id, reason, at }), guardOneChange('purchase_held')];
}

const revert = write((p: Params<{ id: string; requestedAt: IsoTime | null }>) =>
  build
    .update(payments)
    .set({ refundRequestedAt: null, refundReason: null })
    .where(
      and(
        eq(payments.purchaseId, p.id),
        eq(payments.refundRequestedAt, p.requestedAt),
        hasStatus(p.id, 'held'),
      ),
    ),
);

/** A refund that was asked for is over without having been made. */
export function revertRefund({ id, payment }: Sale): Statement[] {
  return [revert({ id, requestedAt: payment.refundRequestedAt }), guardOneChange('purchase_held')];
}

const resume = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(payments)
    .set({ dueAt: p.at, attempts: 0 })
    .where(
      and(
        eq(payments.purchaseId, p.id),
        isNull(payments.dueAt),
        hasStatus(p.id, 'held'),
        not(isDisputed(p.id)),
      ),
    ),
);

/** Has the clock look at a sale in escrow that it forgot. */
export function resumeClock(id: string, at: IsoTime): Statement {
  return resume({ id, at });
}

const take = write(
  (p: Params<{ id: string; feeCents: number; netBefore: number; takenNet: number; takenFee: number }>) =>
    build
      .update(payments)
      .set({
        takenNetCents: asInteger(p.takenNet),
        takenFeeCents: asInteger(p.takenFee),
        feeCents: asInteger(p.feeCents),
      })
      .where(
        and(
          eq(payments.purchaseId, p.id),
          eq(payments.takenNetCents, asInteger(p.netBefore)),
          hasStatus(p.id, 'held'),
        ),
      ),
);

/** So much less of the sale is in escrow, if all of it is there that was thought to be. */
export function takePart(
  { id, platformFeeCents, payment }: Sale,
  part: { readonly netCents: number; readonly feeCents: number },
): Statement[] {
  const takenFee = payment.takenFeeCents + part.feeCents;
  return [
    take({
      id,
      takenFee,
      takenNet: payment.takenNetCents + part.netCents,
      netBefore: payment.takenNetCents,
      feeCents: platformFeeCents - takenFee,
    }),
    guardOneChange('purchase_held'),
  ];
}

const ship = write(
  (p: Params<{ id: string; shippedAt: IsoTime; carrier: string; trackingNumber: string }>) => {
    const refundRequest = build
      .select({ at: payments.refundRequestedAt })
      .from(payments)
      .where(eq(payments.purchaseId, p.id));
    return build
      .update(shipments)
      .set({ shippedAt: p.shippedAt, carrier: p.carrier, trackingNumber: p.trackingNumber })
      .where(
        and(
          eq(shipments.purchaseId, p.id),
          isNull(shipments.shippedAt),
          isNull(sql`${refundRequest}`),
          hasStatus(p.id, 'held'),
        ),
      );
  },
);

const startHold = write((p: Params<{ id: string; holdUntil: IsoTime | null }>) =>
  build
    .update(payments)
    .set({
      holdUntil: p.holdUntil,
      dueAt: sql`CASE WHEN ${isDisputed(p.id)} THEN NULL ELSE ${p.holdUntil} END`,
    })
    .where(eq(payments.purchaseId, p.id)),
);

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
  return [
    ship({ id, ...shipment }),
    guardOneChange('purchase_to_be_shipped'),
    startHold({ id, holdUntil: shipment.holdUntil }),
  ];
}

const endWait = write((p: Params<{ id: string; at: IsoTime; failure: string }>) => {
  const overdue = build
    .select({ id: shipments.purchaseId })
    .from(shipments)
    .where(and(eq(shipments.purchaseId, p.id), lte(shipments.shipBy, p.at), isNull(shipments.shippedAt)));
  return build
    .update(payments)
    .set({ failure: p.failure })
    .where(
      and(
        eq(payments.purchaseId, p.id),
        lte(payments.dueAt, p.at),
        exists(overdue),
        isNull(payments.holdUntil),
        isNull(payments.refundRequestedAt),
        not(isDisputed(p.id)),
        not(isChargedBack(p.id)),
        not(isHeldByOperator(p.id)),
      ),
    );
});

/**
 * Ends the wait for the shipment of an order whose time is over, if it is not shipped, disputed, decided or refunded
 * by then.
 */
export function endWaitForShipment(id: string, at: IsoTime, failure: string): Statement[] {
  return [endWait({ id, at, failure }), guardOneChange('purchase_unshipped')];
}
