import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { insertInto, prepared, statement, updateSet } from '../db/statement.ts';
import { payoutBatches } from '../db/tables/payouts.ts';
import { payments } from '../db/tables/sales.ts';
import type { Hex } from '../kernel/chain.ts';
import type { Database, Statement } from '../kernel/ports.ts';
import type { IsoTime } from '../kernel/time.ts';

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
    (SELECT json_group_array(purchase_id ORDER BY purchase_id) FROM ${payments}
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

/** Has it asked for again later, unless it ended since it was read. */
export function askAgain(
  { id, transactionHash, attempts }: PayoutBatch,
  said: { readonly transaction: Hex | null; readonly dueAt: IsoTime },
): Statement {
  return updateSet(
    payoutBatches,
    { transactionHash: said.transaction ?? transactionHash, dueAt: said.dueAt, attempts: attempts + 1 },
    sql`id = ${id} AND status = 'sending'`,
  );
}

/** Ends it, once, however many clocks ask. */
export function endBatch(
  id: string,
  status: 'paid' | 'refused',
  transaction: Hex | null,
  at: IsoTime,
): Statement[] {
  return [
    statement(sql`UPDATE ${payoutBatches} SET status = ${status}, due_at = NULL, ended_at = ${at},
      transaction_hash = COALESCE(${transaction}, transaction_hash) WHERE id = ${id} AND status = 'sending'`),
    guardOneChange('purchase_batch_sending'),
  ];
}
