import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { guardOneChange } from '../../../db/guard.ts';
import { insertInto, prepared, statement, updateSet } from '../../../db/statement.ts';
import { chargebacks } from '../../../db/tables/sales.ts';
import { type Database, DatabaseError, type Statement } from '../../../kernel/ports/database.ts';
import type { Ids } from '../../../kernel/ports/ids.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { post } from '../../../ledger/index.ts';
import { type Chargeback, chargebackMovement } from './chargeback.rules.ts';

const COLUMNS = sql.join(
  Object.entries(getTableColumns(chargebacks)).map(
    ([field, column]) => sql`${column} AS ${sql.identifier(field)}`,
  ),
  sql`, `,
);
const UNCHANGED = 'chargeback_unchanged';

/** The latest of a purchase, as `viewChargeback` takes it: columns for a query that has the purchase. */
export function chargebackColumns(purchaseId: SQL): SQL {
  const latest = (column: SQLiteColumn): SQL => sql`(SELECT ${column} FROM ${chargebacks}
    WHERE ${chargebacks.purchaseId} = ${purchaseId} ORDER BY ${chargebacks.openedAt} DESC LIMIT 1)`;
  return sql`${latest(chargebacks.openedAt)} AS chargebackOpenedAt,
    ${latest(chargebacks.settledAt)} AS chargebackSettledAt, ${latest(chargebacks.status)} AS chargebackStatus`;
}

const byDispute = prepared<{ disputeId: string }>(
  sql`SELECT ${COLUMNS} FROM ${chargebacks} WHERE dispute_id = ${sql.placeholder('disputeId')}`,
);

export function findChargeback(market: Database, disputeId: string): Promise<Chargeback | null> {
  return market.first<Chargeback>(byDispute({ disputeId }));
}

/** The lost dispute that took all of what a purchase had paid, if nothing was done about it yet. */
export function findLostChargeback(
  market: Database,
  purchaseId: string,
  amountCents: number,
): Promise<Chargeback | null> {
  return market.first<Chargeback>(
    statement(sql`SELECT ${COLUMNS} FROM ${chargebacks} WHERE purchase_id = ${purchaseId} AND status = 'lost'
      AND settled_at IS NULL AND withdrawn_cents = CAST(${amountCents} AS INTEGER)`),
  );
}

/** Writes down what became of it, unless somebody else did since it was read. */
export function saveChargeback(known: Chargeback | null, next: Chargeback): Statement[] {
  if (known === null) return [insertInto(chargebacks, next)];
  const { disputeId, revision } = known;
  return [
    updateSet(chargebacks, next, sql`dispute_id = ${disputeId} AND revision = CAST(${revision} AS INTEGER)`),
    guardOneChange(UNCHANGED),
  ];
}

/** Posts what moved, once for each revision. */
export function chargebackPostings(
  { ids }: { readonly ids: Ids },
  known: Chargeback | null,
  next: Chargeback,
  at: IsoTime,
): Statement[] {
  const moved = chargebackMovement(known, next);
  return moved ? [post(moved, ids.uuid(), at)] : [];
}

/** The sale it was about is taken back, so that it is nobody's loss. */
export function coverChargeback(known: Chargeback, at: IsoTime): Statement[] {
  const { revision, withdrawnCents: coveredCents } = known;
  return saveChargeback(known, {
    ...known,
    coveredCents,
    settledAt: at,
    checkAt: null,
    revision: revision + 1,
  });
}

/** Somebody else worked on the same one at the same moment. */
export function isRevisionConflict(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    error.kind === 'constraint' &&
    (error.constraint === `guard ${UNCHANGED}` || error.constraint === 'chargebacks.dispute_id')
  );
}

/** Those that nobody reported on for long, put off before they are given out: sweeps do not meet over one. */
export async function claimDueChargebacks(
  market: Database,
  now: IsoTime,
  next: { readonly soon: IsoTime; readonly later: IsoTime },
  limit: number,
): Promise<string[]> {
  const [rows] = await market.commit([
    statement(sql`UPDATE ${chargebacks} SET check_at = CASE status WHEN 'lost' THEN ${next.soon} ELSE ${next.later} END
      WHERE dispute_id IN (SELECT dispute_id FROM ${chargebacks} WHERE check_at <= ${now}
        ORDER BY check_at LIMIT CAST(${limit} AS INTEGER)) RETURNING dispute_id AS disputeId`),
  ]);
  return (rows as { disputeId: string }[]).map(({ disputeId }) => disputeId);
}

const recent = prepared<{ since: IsoTime; limit: number }>(sql`SELECT ${COLUMNS} FROM ${chargebacks}
  WHERE settled_at IS NULL OR opened_at >= ${sql.placeholder('since')}
  ORDER BY settled_at IS NOT NULL, opened_at DESC, dispute_id LIMIT ${sql.placeholder('limit')}`);

/** Those that are open first, then those of late, the newest first. */
export function listRecentChargebacks(
  market: Database,
  since: IsoTime,
  limit: number,
): Promise<Chargeback[]> {
  return market.all<Chargeback>(recent({ since, limit }));
}
