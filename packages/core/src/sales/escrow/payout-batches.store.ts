import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { and, desc, eq, getTableColumns, gt, lte, type Placeholder, sql } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto } from '../../db/insert-into.ts';
import { type Params, query, write } from '../../db/query.ts';
import { payoutBatches } from '../../db/tables/payouts.ts';
import { transfers } from '../../db/tables/sales.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** One transfer of USDC to a seller, for several sales. */
export type PayoutBatch = Readonly<typeof payoutBatches.$inferSelect>;

const due = query((p: Params<{ now: IsoTime; limit: number }>) =>
  build
    .select(getTableColumns(payoutBatches))
    .from(payoutBatches)
    .where(and(eq(payoutBatches.status, 'sending'), lte(payoutBatches.dueAt, p.now)))
    .orderBy(payoutBatches.dueAt)
    .limit(p.limit),
);

/** Those whose transfer is to be asked for, or asked for again. */
export function listDueBatches(market: Database, now: IsoTime, limit: number): Promise<PayoutBatch[]> {
  return due.all(market, { now, limit });
}

const byId = query((p: Params<{ id: string }>) =>
  build.select(getTableColumns(payoutBatches)).from(payoutBatches).where(eq(payoutBatches.id, p.id)),
);

export function findBatch(market: Database, id: string): Promise<PayoutBatch | null> {
  return byId.first(market, { id });
}

const makeDue = write((p: Params<{ id: string; at: IsoTime }>) =>
  build
    .update(payoutBatches)
    .set({ dueAt: p.at })
    .where(
      and(eq(payoutBatches.id, p.id), eq(payoutBatches.status, 'sending'), gt(payoutBatches.dueAt, p.at)),
    ),
);

/** The next attempt is due now, unless the batch ended. */
export function makeBatchDue(id: string, at: IsoTime): Statement {
  return makeDue({ id, at });
}

/** A transfer as its seller is told of it. */
export interface SellerPayout
  extends Pick<
    PayoutBatch,
    | 'id'
    | 'chainId'
    | 'address'
    | 'amountCents'
    | 'gasCents'
    | 'status'
    | 'transactionHash'
    | 'createdAt'
    | 'endedAt'
  > {
  readonly purchaseIds: readonly string[];
}

const purchaseIds = sql`(SELECT json_group_array(${transfers.purchaseId} ORDER BY ${transfers.purchaseId})
  FROM ${transfers} WHERE ${transfers.payoutBatchId} = ${payoutBatches.id})`;

const ofSeller = query((p: Params<{ sellerId: string; limit: number }>) =>
  build
    .select({
      id: payoutBatches.id,
      chainId: payoutBatches.chainId,
      address: payoutBatches.address,
      amountCents: payoutBatches.amountCents,
      gasCents: payoutBatches.gasCents,
      status: payoutBatches.status,
      transactionHash: payoutBatches.transactionHash,
      createdAt: payoutBatches.createdAt,
      endedAt: payoutBatches.endedAt,
      purchaseIds: purchaseIds.mapWith((json: string) => JSON.parse(json) as string[]),
    })
    .from(payoutBatches)
    .where(eq(payoutBatches.sellerId, p.sellerId))
    .orderBy(desc(payoutBatches.createdAt), desc(payoutBatches.id))
    .limit(p.limit),
);

/** The last begun first. */
export function listPayouts(market: Database, sellerId: string, limit: number): Promise<SellerPayout[]> {
  return ofSeller.all(market, { sellerId, limit });
}

export function insertBatch(
  batch: Pick<
    PayoutBatch,
    'id' | 'sellerId' | 'chainId' | 'address' | 'amountCents' | 'createdAt' | 'dueAt' | 'gasCents'
  >,
): Statement {
  return insertInto(payoutBatches, { ...batch, status: 'sending' });
}

interface Attempt {
  readonly id: string;
  readonly attempts: number;
}

/** The batch has not ended, and nobody began another attempt. */
const isLatest = (p: { readonly [Name in keyof Attempt]: Placeholder<Name, Attempt[Name]> }) =>
  and(
    eq(payoutBatches.id, p.id),
    eq(payoutBatches.status, 'sending'),
    eq(payoutBatches.attempts, p.attempts),
  );

const countAttempt = write((p: Params<Attempt & { nextAttempts: number; dueAt: IsoTime }>) =>
  build.update(payoutBatches).set({ attempts: p.nextAttempts, dueAt: p.dueAt }).where(isLatest(p)),
);

/**
 * Records an attempt before its transfer is asked for; nobody else begins one until `nextAt`. Aborts where somebody did
 * since the batch was read. `attempts` numbers the attempt.
 */
export function beginAttempt(
  batch: PayoutBatch,
  nextAt: IsoTime,
): { readonly attempt: PayoutBatch; readonly statements: Statement[] } {
  const { id, attempts } = batch;
  const attempt = { ...batch, dueAt: nextAt, attempts: attempts + 1 };
  const statements = [
    countAttempt({ id, attempts, nextAttempts: attempt.attempts, dueAt: nextAt }),
    guardOneChange('purchase_batch_latest'),
  ];
  return { attempt, statements };
}

const schedule = write((p: Params<Attempt & { transactionHash: Hex | null; dueAt: IsoTime }>) =>
  build.update(payoutBatches).set({ transactionHash: p.transactionHash, dueAt: p.dueAt }).where(isLatest(p)),
);

/** Schedules the next attempt, unless the batch ended or somebody else began one since. */
export function retryBatch(
  { id, attempts, transactionHash }: PayoutBatch,
  { transaction, dueAt }: { readonly transaction: Hex | null; readonly dueAt: IsoTime },
): Statement {
  return schedule({ id, attempts, transactionHash: transaction ?? transactionHash, dueAt });
}

const pay = write((p: Params<{ id: string; transaction: Hex; at: IsoTime }>) =>
  build
    .update(payoutBatches)
    .set({ status: 'paid', dueAt: null, endedAt: p.at, transactionHash: p.transaction })
    .where(and(eq(payoutBatches.id, p.id), eq(payoutBatches.status, 'sending'))),
);

/** The transfer is on chain, whoever asked for it: the batch ends once, however many clocks see it. */
export function endAsPaid(id: string, transaction: Hex, at: IsoTime): Statement[] {
  return [pay({ id, transaction, at }), guardOneChange('purchase_batch_sending')];
}

const refuse = write((p: Params<Attempt & { at: IsoTime }>) =>
  build.update(payoutBatches).set({ status: 'refused', dueAt: null, endedAt: p.at }).where(isLatest(p)),
);

/** Only the latest attempt may end a batch as refused: a later one may be paying it. */
export function endAsRefused({ id, attempts }: PayoutBatch, at: IsoTime): Statement[] {
  return [refuse({ id, attempts, at }), guardOneChange('purchase_batch_sending')];
}
