import { type SQL, sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { prepared, statement, updateSet } from '../db/statement.ts';
import { wallets } from '../db/tables/wallet.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import type { RechargeSetback } from './wallet.rules.ts';
import { balanceOf, ensureWallet, type Wallet } from './wallet.store.ts';

const CARD_SAVED = 'card_saved';
const RECHARGE_DUE = 'recharge_due';

/** There is no card to recharge with. */
export const hasNoCard = (error: unknown): boolean => refusedBy(error, `guard ${CARD_SAVED}`);

/** Nothing is due on these terms, or another run has it in hand. */
export const isNotDue = (error: unknown): boolean =>
  refusedBy(error, `guard ${RECHARGE_DUE}`) || refusedBy(error, 'wallet_top_ups.agent_id');

function refusedBy(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.kind === 'constraint' && error.constraint === constraint;
}

/** Turns auto-recharge on, with a clean record. It is due at once where the balance is low. */
export function enableAutoRecharge(
  agentId: string,
  figures: { thresholdCents: number; amountCents: number },
): Statement[] {
  const thresholdCents = sql`CAST(${figures.thresholdCents} AS INTEGER)`;
  return [
    statement(sql`UPDATE ${wallets} SET auto_recharge_enabled = 1, threshold_cents = ${thresholdCents},
        recharge_amount_cents = CAST(${figures.amountCents} AS INTEGER),
        recharge_state = CASE WHEN recharge_state = 'charging' THEN 'charging'
          WHEN ${thresholdCents} > ${balanceOf(sql`agent_id`)} THEN 'due' ELSE 'idle' END,
        recharge_at = NULL, recharge_failures = 0, recharge_problem = NULL
      WHERE agent_id = ${agentId} AND card_payment_method_id IS NOT NULL`),
    guardOneChange(CARD_SAVED),
  ];
}

/** Turns it off; a charge that is under way ends as it ends. */
export function disableAutoRecharge(
  agentId: string,
  figures: { thresholdCents: number; amountCents: number },
): Statement[] {
  return [
    ensureWallet(agentId),
    statement(sql`UPDATE ${wallets} SET auto_recharge_enabled = 0,
        threshold_cents = CAST(${figures.thresholdCents} AS INTEGER),
        recharge_amount_cents = CAST(${figures.amountCents} AS INTEGER),
        recharge_state = CASE WHEN recharge_state = 'charging' THEN 'charging' ELSE 'idle' END,
        recharge_at = NULL, recharge_failures = 0, recharge_problem = NULL
      WHERE agent_id = ${agentId}`),
  ];
}

/** Takes a due recharge in hand; aborts if it is not, or no longer, due on these terms. */
export function beginRecharge({ agentId, card, autoRecharge }: Wallet, now: IsoTime): Statement[] {
  return [
    statement(sql`UPDATE ${wallets} SET recharge_state = 'charging'
      WHERE agent_id = ${agentId} AND recharge_state = 'due' AND auto_recharge_enabled = 1
        AND (recharge_at IS NULL OR recharge_at <= ${now})
        AND card_payment_method_id = ${card?.paymentMethodId ?? null}
        AND recharge_amount_cents = CAST(${autoRecharge.amountCents} AS INTEGER)
        AND threshold_cents > ${balanceOf(sql`agent_id`)}`),
    guardOneChange(RECHARGE_DUE),
  ];
}

/** The owner of the card disputes what was charged: nothing more is charged by itself. */
export function stopRecharging(agentId: string): Statement {
  return statement(sql`UPDATE ${wallets} SET auto_recharge_enabled = 0,
      recharge_state = CASE WHEN recharge_state = 'charging' THEN 'charging' ELSE 'idle' END,
      recharge_at = NULL, recharge_problem = 'chargeback' WHERE agent_id = ${agentId}`);
}

const STILL_LOW: SQL = sql`CASE WHEN auto_recharge_enabled = 1
  AND threshold_cents > ${balanceOf(sql`agent_id`)} THEN 'due' ELSE 'idle' END`;

/** A charge went through. A balance that is still low has the next one due. */
export function noteRecharged(agentId: string): Statement {
  return statement(sql`UPDATE ${wallets} SET recharge_state = ${STILL_LOW}, recharge_at = NULL,
    recharge_failures = 0, recharge_problem = NULL WHERE agent_id = ${agentId}`);
}

/** A charge did not go through. */
export function noteSetback(agentId: string, setback: RechargeSetback): Statement {
  return statement(sql`UPDATE ${wallets} SET
      auto_recharge_enabled = auto_recharge_enabled AND CAST(${setback.enabled ? 1 : 0} AS INTEGER),
      recharge_state = CASE WHEN auto_recharge_enabled = 1 THEN ${setback.state} ELSE 'idle' END,
      recharge_at = ${setback.at}, recharge_failures = CAST(${setback.failures} AS INTEGER),
      recharge_problem = ${setback.problem} WHERE agent_id = ${agentId}`);
}

/** The cap leaves no room now; that is nobody's failure. */
export function postponeRecharge(agentId: string, at: IsoTime, problem: string): Statement {
  return updateSet(
    wallets,
    { rechargeAt: at, rechargeProblem: problem },
    sql`agent_id = ${agentId} AND recharge_state = 'due'`,
  );
}

/** The balance rose above the threshold by itself. */
export function noLongerDue(agentId: string): Statement {
  return statement(sql`UPDATE ${wallets} SET recharge_state = ${STILL_LOW}
    WHERE agent_id = ${agentId} AND recharge_state = 'due'`);
}

const due = prepared<{ now: IsoTime; limit: number }>(sql`SELECT agent_id AS agentId FROM ${wallets}
  WHERE recharge_state = 'due' AND (recharge_at IS NULL OR recharge_at <= ${sql.placeholder('now')})
  ORDER BY recharge_at LIMIT ${sql.placeholder('limit')}`);

export async function findDueRecharges(db: Database, now: IsoTime, limit: number): Promise<string[]> {
  const rows = await db.all<{ agentId: string }>(due({ now, limit }));
  return rows.map(({ agentId }) => agentId);
}
