import { sql } from 'drizzle-orm';
import { insertInto, prepared, statement, updateSet } from '../db/statement.ts';
import { sellers } from '../db/tables/agents.ts';
import { payoutAccounts } from '../db/tables/payouts.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';

type Row = typeof payoutAccounts.$inferSelect;

/** A seller's account at the card processor. */
export interface PayoutAccount extends Omit<Row, 'payoutsEnabled' | 'detailsSubmitted'> {
  readonly payoutsEnabled: boolean;
  readonly detailsSubmitted: boolean;
}

const COLUMNS = sql`seller_id AS sellerId, account_id AS accountId, country, payouts_enabled AS payoutsEnabled,
  details_submitted AS detailsSubmitted, created_at AS createdAt`;
const ofSeller = prepared<{ sellerId: string }>(
  sql`SELECT ${COLUMNS} FROM ${payoutAccounts} WHERE seller_id = ${sql.placeholder('sellerId')}`,
);
const byAccount = prepared<{ accountId: string }>(
  sql`SELECT ${COLUMNS} FROM ${payoutAccounts} WHERE account_id = ${sql.placeholder('accountId')}`,
);

export async function findPayoutAccount(market: Database, sellerId: string): Promise<PayoutAccount | null> {
  const row = await market.first<Row>(ofSeller({ sellerId }));
  return row && accountOf(row);
}

export async function findByAccountId(market: Database, accountId: string): Promise<PayoutAccount | null> {
  const row = await market.first<Row>(byAccount({ accountId }));
  return row && accountOf(row);
}

function accountOf(row: Row): PayoutAccount {
  return {
    ...row,
    payoutsEnabled: row.payoutsEnabled === 1,
    detailsSubmitted: row.detailsSubmitted === 1,
  };
}

/** A seller that moved before payouts were connected has another account; what was connected stays. */
export function savePayoutAccount(
  account: Pick<Row, 'sellerId' | 'accountId' | 'country' | 'createdAt'>,
): Statement {
  return insertInto(
    payoutAccounts,
    account,
    sql`ON CONFLICT (seller_id) DO UPDATE SET account_id = excluded.account_id, country = excluded.country,
      details_submitted = 0 WHERE payouts_enabled = 0 AND account_id <> excluded.account_id`,
  );
}

/** What the processor says of an account; once it can be paid, its seller may sell for money. */
export function saveAccountState(
  sellerId: string,
  state: { readonly payoutsEnabled: boolean; readonly detailsSubmitted: boolean },
): Statement[] {
  return [
    updateSet(
      payoutAccounts,
      { payoutsEnabled: state.payoutsEnabled ? 1 : 0, detailsSubmitted: state.detailsSubmitted ? 1 : 0 },
      sql`seller_id = ${sellerId}`,
    ),
    ...(state.payoutsEnabled
      ? [statement(sql`UPDATE ${sellers} SET payouts = 'connected' WHERE agent_id = ${sellerId}`)]
      : []),
  ];
}
