import { type SQL, sql } from 'drizzle-orm';
import { guardOneChange } from '../../db/guard.ts';
import { insertInto, prepared, statement, updateSet } from '../../db/statement.ts';
import { payoutBatches } from '../../db/tables/payouts.ts';
import { transfers } from '../../db/tables/sales.ts';
import type { Hex } from '../../kernel/ports/chain.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';

/** One transfer of USDC to a seller, for several sales. */
export type PayoutBatch = Readonly<typeof payoutBatches.$inferSelect>;

const due = prepared<{
  now: IsoTime;
  limit: number;
}>(sql`SELECT id, seller_id AS sellerId, chain_id AS chainId, address,
  amount_cents AS amountCents, status, transaction_hash AS transactionHash, attempts, due_at AS dueAt,
  created_at AS createdAt, ended_at AS endedAt FROM ${payoutBatches}
  WHERE status = 'sending' AND due_at <= ${sql.placeholder('now')} ORDER BY due_at LIMIT ${sql.placeholder('limit')}`);

/** Those whose transfer is to be asked for, or asked for again. */
export function listDueBatches(market: Database, now: IsoTime, limit: number): Promise<PayoutBatch[]> {
  return market.all<PayoutBatch>(due({ now, limit }));
}

/** A transfer as its seller is told of it. */
export interface SellerPayout
  extends Pick<
    PayoutBatch,
    'id' | 'chainId' | 'address' | 'amountCents' | 'status' | 'transactionHash' | 'createdAt' | 'endedAt'
  > {
  readonly purchaseIds: readonly string[];
}

const ofSeller = prepared<{
  sellerId: string;
  limit: number;
}>(sql`SELECT id, chain_id AS chainId, address, amount_cents AS amountCents, status,
    transaction_hash AS transactionHash, created_at AS createdAt, ended_at AS endedAt,
    (SELECT json_group_array(purchase_id ORDER BY purchase_id) FROM ${transfers}
      WHERE payout_batch_id = ${payoutBatches.id}) AS purchaseIds
  FROM ${payoutBatches} WHERE seller_id = ${sql.placeholder('sellerId')}
  ORDER BY created_at DESC, id DESC LIMIT ${sql.placeholder('limit')}`);

/** The last begun first. */
export async function listPayouts(
  market: Database,
  sellerId: string,
  limit: number,
): Promise<SellerPayout[]> {
  const rows = await market.all<Omit<SellerPayout, 'purchaseIds'> & { purchaseIds: string }>(
    ofSeller({ sellerId, limit }),
  );
  return rows.map((row) => ({ ...row, purchaseIds: JSON.parse(row.purchaseIds) as string[] }));
}

export function insertBatch(
  batch: Pick<PayoutBatch, 'id' | 'sellerId' | 'chainId' | 'address' | 'amountCents' | 'createdAt' | 'dueAt'>,
): Statement {
  return insertInto(payoutBatches, { ...batch, status: 'sending' });
}

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
    updateSet(
      payoutBatches,
      { attempts: attempt.attempts, dueAt: nextAt },
      sql`id = ${id} AND ${isLatest(batch)}`,
    ),
    guardOneChange('purchase_batch_latest'),
  ];
  return { attempt, statements };
}

/** Schedules the next attempt, unless the batch ended or somebody else began one since. */
export function retryBatch(
  attempt: PayoutBatch,
  { transaction, dueAt }: { readonly transaction: Hex | null; readonly dueAt: IsoTime },
): Statement {
  return updateSet(
    payoutBatches,
    { transactionHash: transaction ?? attempt.transactionHash, dueAt },
    sql`id = ${attempt.id} AND ${isLatest(attempt)}`,
  );
}

/** The transfer is on chain, whoever asked for it: the batch ends once, however many clocks see it. */
export function endAsPaid(id: string, transaction: Hex, at: IsoTime): Statement[] {
  return ended(
    sql`UPDATE ${payoutBatches} SET status = 'paid', due_at = NULL, ended_at = ${at},
      transaction_hash = ${transaction} WHERE id = ${id} AND status = 'sending'`,
  );
}

/** Only the latest attempt may end a batch as refused: a later one may be paying it. */
export function endAsRefused(attempt: PayoutBatch, at: IsoTime): Statement[] {
  return ended(
    sql`UPDATE ${payoutBatches} SET status = 'refused', due_at = NULL, ended_at = ${at}
      WHERE id = ${attempt.id} AND ${isLatest(attempt)}`,
  );
}

const isLatest = ({ attempts }: PayoutBatch) => sql`status = 'sending' AND attempts = ${attempts}`;

const ended = (update: SQL): Statement[] => [statement(update), guardOneChange('purchase_batch_sending')];
