import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { asInteger, build } from '../../db/build.ts';
import { isConflictIn, isGuard } from '../../db/constraint.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { agents } from '../../db/tables/agents.ts';
import { chargebacks } from '../../db/tables/sales.ts';
import { topUpRefunds, walletTopUps } from '../../db/tables/wallet.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { post, refundTopUp, reserveTopUpRefund, restoreTopUp } from '../../ledger/index.ts';
import type { PaidTopUp } from './refund-plan.rules.ts';

type Row = Readonly<typeof topUpRefunds.$inferSelect>;

export type TopUpRefund = Pick<Row, 'topUpId' | 'number' | 'amountCents' | 'status'> & {
  readonly agentId: string;
  readonly paymentId: string;
  /** Nobody can be asked any more: it is tried until it is made. */
  readonly isErased: boolean;
};

const COLUMNS = {
  topUpId: topUpRefunds.topUpId,
  number: topUpRefunds.number,
  amountCents: topUpRefunds.amountCents,
  status: topUpRefunds.status,
  agentId: walletTopUps.agentId,
  // One that is paid has it.
  paymentId: sql<string>`${walletTopUps.paymentId}`,
  isErased: sql`${agents.erasedAt} IS NOT NULL`.mapWith(Boolean),
};

const selectRefunds = () =>
  build
    .select(COLUMNS)
    .from(topUpRefunds)
    .innerJoin(walletTopUps, eq(walletTopUps.id, topUpRefunds.topUpId))
    .innerJoin(agents, eq(agents.id, walletTopUps.agentId));

const isUnderWay = inArray(topUpRefunds.status, ['decided', 'sent']);

const ofTopUp = query((p: Params<{ topUpId: string }>) =>
  selectRefunds().where(eq(topUpRefunds.topUpId, p.topUpId)).orderBy(topUpRefunds.number),
);
const ofAgent = query((p: Params<{ agentId: string }>) =>
  selectRefunds().where(
    and(eq(walletTopUps.agentId, p.agentId), eq(walletTopUps.status, 'paid'), isUnderWay),
  ),
);
const due = query((p: Params<{ now: IsoTime; limit: number }>) =>
  selectRefunds()
    .where(and(isUnderWay, lte(topUpRefunds.checkAt, p.now)))
    .orderBy(topUpRefunds.checkAt)
    .limit(p.limit),
);

export const listRefunds = (db: Database, topUpId: string): Promise<TopUpRefund[]> =>
  ofTopUp.all(db, { topUpId });

export const isRefundUnderWay = async (db: Database, topUpId: string): Promise<boolean> =>
  (await listRefunds(db, topUpId)).some(({ status }) => status === 'decided' || status === 'sent');

export const listRefundsUnderWay = (db: Database, agentId: string): Promise<TopUpRefund[]> =>
  ofAgent.all(db, { agentId });

export const listDueRefunds = (db: Database, now: IsoTime, limit: number): Promise<TopUpRefund[]> =>
  due.all(db, { now, limit });

/** Of those named, the paid ones of which no bank took or may take anything. */
const refundable = query((p: Params<{ agentId: string; ids: string }>) =>
  build
    .select({
      topUpId: walletTopUps.id,
      createdAt: walletTopUps.createdAt,
      refunds: sql<number>`(SELECT COUNT(*) FROM ${topUpRefunds} WHERE ${topUpRefunds.topUpId} = ${walletTopUps.id})`,
      failures: sql<number>`(SELECT COUNT(*) FROM ${topUpRefunds}
        WHERE ${topUpRefunds.topUpId} = ${walletTopUps.id} AND ${topUpRefunds.status} = 'failed')`,
    })
    .from(walletTopUps)
    .where(
      and(
        inArray(walletTopUps.id, sql`(SELECT value FROM json_each(${p.ids}))`),
        eq(walletTopUps.agentId, p.agentId),
        eq(walletTopUps.status, 'paid'),
        sql`NOT EXISTS (SELECT 1 FROM ${chargebacks} WHERE ${chargebacks.agentId} = ${p.agentId}
          AND ${chargebacks.topUpId} = ${walletTopUps.id} AND ${chargebacks.status} <> 'won'
          AND ${chargebacks.disputeId} NOT GLOB 'refund:*')`,
      ),
    ),
);

export const listRefundable = (db: Database, agentId: string, ids: readonly string[]): Promise<PaidTopUp[]> =>
  refundable.all(db, { agentId, ids: JSON.stringify(ids) });

type Money = Pick<TopUpRefund, 'topUpId' | 'number' | 'amountCents' | 'agentId'>;

/** Takes the money out of the wallet, for the card. It can be spent no more. */
export function decideRefund(refund: Money, postingId: string, at: IsoTime, checkAt: IsoTime): Statement[] {
  const { topUpId, number, amountCents } = refund;
  return [
    insertInto(topUpRefunds, { topUpId, number, amountCents, status: 'decided', createdAt: at, checkAt }),
    post(reserveTopUpRefund(refund), postingId, at),
  ];
}

const UNCHANGED = 'top_up_refund_unchanged';

const move = write(
  (
    p: Params<{ topUpId: string; number: number; from: Row['status']; to: Row['status']; checkAt: IsoTime }>,
  ) =>
    build
      .update(topUpRefunds)
      .set({ status: p.to, checkAt: p.checkAt })
      .where(
        and(
          eq(topUpRefunds.topUpId, p.topUpId),
          eq(topUpRefunds.number, asInteger(p.number)),
          eq(topUpRefunds.status, p.from),
        ),
      ),
);

/** Its next state, with what it moves in the ledger; aborts where another run was faster. */
export function moveRefund(
  refund: TopUpRefund,
  to: 'sent' | 'made' | 'failed',
  postingId: string,
  at: IsoTime,
  checkAt: IsoTime,
): Statement[] {
  const { topUpId, number, status: from } = refund;
  const wasDecided = from === 'decided';
  const posting =
    to === 'failed'
      ? restoreTopUp(refund, wasDecided ? 'reserved' : 'card')
      : wasDecided && refundTopUp(refund);
  return [
    move({ topUpId, number, from, to, checkAt }),
    guardOneChange(UNCHANGED),
    ...(posting ? [post(posting, postingId, at)] : []),
  ];
}

const reschedule = write((p: Params<{ topUpId: string; number: number; at: IsoTime }>) =>
  build
    .update(topUpRefunds)
    .set({ checkAt: p.at })
    .where(and(eq(topUpRefunds.topUpId, p.topUpId), eq(topUpRefunds.number, asInteger(p.number)))),
);

export const rescheduleRefund = ({ topUpId, number }: TopUpRefund, at: IsoTime): Statement =>
  reschedule({ topUpId, number, at });

/** Another run decided it, or moved it on. */
export const isRefundChanged = (error: unknown): boolean =>
  isGuard(error, UNCHANGED) || isConflictIn(error, topUpRefunds);
