import { type SQL, sql } from 'drizzle-orm';
import { insertInto, prepared, statement } from '../db/statement.ts';
import { agents } from '../db/tables/agents.ts';
import { ledgerAccounts } from '../db/tables/ledger.ts';
import { purchases } from '../db/tables/purchases.ts';
import { chargebacks } from '../db/tables/sales.ts';
import { walletSetups, wallets, walletTopUps } from '../db/tables/wallet.ts';
import type { SavedCard } from '../kernel/ports/card-processor.ts';
import type { Database, Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { WALLET_CAP_CENTS } from '../ledger/index.ts';

export interface WalletCard extends SavedCard {
  readonly customerId: string;
}

export interface Wallet {
  readonly agentId: string;
  readonly balanceCents: number;
  readonly fundedCents: number;
  readonly customerId: string | null;
  readonly card: WalletCard | null;
  readonly autoRecharge: {
    readonly enabled: boolean;
    readonly thresholdCents: number;
    readonly amountCents: number;
    readonly state: 'idle' | 'due' | 'charging';
    readonly at: IsoTime | null;
    readonly failures: number;
    readonly problem: string | null;
  };
}

interface WalletRow {
  readonly balanceCents: number;
  readonly fundedCents: number;
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly enabled: number;
  readonly thresholdCents: number;
  readonly rechargeAmountCents: number;
  readonly state: 'idle' | 'due' | 'charging';
  readonly at: IsoTime | null;
  readonly failures: number;
  readonly problem: string | null;
}

/** A wallet that was never used has no row, and is empty. */
const byAgent = prepared<{ agentId: string }>(sql`SELECT
    COALESCE((SELECT balance_cents FROM ${ledgerAccounts} WHERE account = 'wallet:' || asked.id), 0) AS balanceCents,
    COALESCE(funded_cents, 0) AS fundedCents, customer_id AS customerId,
    card_payment_method_id AS paymentMethodId, card_brand AS brand, card_last4 AS last4,
    card_exp_month AS expMonth, card_exp_year AS expYear, COALESCE(auto_recharge_enabled, 0) AS enabled,
    COALESCE(threshold_cents, 500) AS thresholdCents, COALESCE(recharge_amount_cents, 2000) AS rechargeAmountCents,
    COALESCE(recharge_state, 'idle') AS state, recharge_at AS at, COALESCE(recharge_failures, 0) AS failures,
    recharge_problem AS problem
  FROM (SELECT ${sql.placeholder('agentId')} AS id) AS asked LEFT JOIN ${wallets} ON agent_id = asked.id`);

export async function readWallet(db: Database, agentId: string): Promise<Wallet> {
  const row = (await db.first<WalletRow>(byAgent({ agentId }))) as WalletRow;
  const { balanceCents, fundedCents, customerId, enabled, thresholdCents, state, at, failures, problem } =
    row;
  return {
    agentId,
    balanceCents,
    fundedCents,
    customerId,
    card: cardOf(row),
    autoRecharge: {
      enabled: enabled === 1,
      thresholdCents,
      amountCents: row.rechargeAmountCents,
      state,
      at,
      failures,
      problem,
    },
  };
}

function cardOf(row: WalletRow): WalletCard | null {
  const { customerId, paymentMethodId, brand, last4, expMonth, expYear } = row;
  if (customerId === null || paymentMethodId === null) return null;
  return { customerId, paymentMethodId, brand, last4, expMonth, expYear };
}

/** What counts against a wallet's cap, beside its balance. */
export interface Commitments {
  readonly openTopUpCents: number;
  readonly refundableCents: number;
  readonly chargedBackCents: number;
}

const openTopUpsOf = (agentId: SQL): SQL => sql`(SELECT COALESCE(SUM(amount_cents), 0) FROM ${walletTopUps}
  WHERE agent_id = ${agentId} AND status = 'open')`;

/**
 * What may come back: these states and this rail are those of the index on purchases that may still be refunded, and
 * what a wallet bears of a chargeback is given back if that is won.
 */
const refundableTo = (agentId: SQL): SQL => sql`((SELECT COALESCE(SUM(amount_cents), 0) FROM ${purchases}
  WHERE buyer_id = ${agentId} AND rail = 'wallet'
    AND status IN ('pending_payment', 'authorized', 'held', 'releasing'))
  + (SELECT COALESCE(SUM(covered_cents), 0) FROM ${chargebacks}
  WHERE agent_id = ${agentId} AND status <> 'lost'))`;

/** Of the wallet that this expression names. */
export const balanceOf = (agentId: SQL): SQL => sql`COALESCE((SELECT balance_cents FROM ${ledgerAccounts}
  WHERE account = 'wallet:' || ${agentId}), 0)`;

const commitments = prepared<{ agentId: string }>(sql`SELECT
  ${openTopUpsOf(sql`${sql.placeholder('agentId')}`)} AS openTopUpCents,
  ${refundableTo(sql`${sql.placeholder('agentId')}`)} AS refundableCents,
  (SELECT COALESCE(SUM(covered_cents), 0) FROM ${chargebacks} WHERE agent_id = ${sql.placeholder('agentId')})
    AS chargedBackCents`);

export async function readCommitments(db: Database, agentId: string): Promise<Commitments> {
  return (await db.first<Commitments>(commitments({ agentId }))) as Commitments;
}

/** True where the wallet's cap leaves room for so much more, come back what may (ADR 0010, Headroom). */
export function hasHeadroom(agentId: string, amountCents: number): SQL {
  const id = sql`${agentId}`;
  return sql`${balanceOf(id)} + ${openTopUpsOf(id)} + ${refundableTo(id)} + CAST(${amountCents} AS INTEGER)
    <= CAST(${WALLET_CAP_CENTS} AS INTEGER)`;
}

/** Makes a wallet's row; one that exists stays as it is. */
export function ensureWallet(agentId: string): Statement {
  return insertInto(wallets, { agentId }, sql`ON CONFLICT (agent_id) DO NOTHING`);
}

const emailOf = prepared<{ agentId: string }>(
  sql`SELECT email FROM ${agents} WHERE id = ${sql.placeholder('agentId')}`,
);

/** Private: for the card processor's own messages to whoever pays. */
export async function readEmail(db: Database, agentId: string): Promise<string | null> {
  return (await db.first<{ email: string | null }>(emailOf({ agentId })))?.email ?? null;
}

/** A page where a person will save a card, and the customer it is saved for. */
export function recordSetup(setup: {
  sessionId: string;
  agentId: string;
  customerId: string;
  createdAt: IsoTime;
}): Statement[] {
  const { agentId, customerId } = setup;
  return [
    ensureWallet(agentId),
    statement(
      sql`UPDATE ${wallets} SET customer_id = COALESCE(customer_id, ${customerId}) WHERE agent_id = ${agentId}`,
    ),
    insertInto(walletSetups, setup),
  ];
}

/** Saves the card of a completed setup. Reports come twice and out of order: the setup begun last wins. */
export function saveCard(sessionId: string, agentId: string, card: SavedCard): Statement {
  return statement(sql`UPDATE ${wallets} SET card_payment_method_id = ${card.paymentMethodId},
      card_brand = ${card.brand}, card_last4 = ${card.last4},
      card_exp_month = CAST(${card.expMonth} AS INTEGER), card_exp_year = CAST(${card.expYear} AS INTEGER),
      card_setup_at = setup.created_at, customer_id = setup.customer_id
    FROM (SELECT created_at, customer_id FROM ${walletSetups} WHERE session_id = ${sessionId} AND agent_id = ${agentId}) AS setup
    WHERE ${wallets}.agent_id = ${agentId}
      AND (card_setup_at IS NULL OR card_setup_at <= setup.created_at)
    RETURNING agent_id`);
}
