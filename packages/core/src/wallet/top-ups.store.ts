import { sql } from 'drizzle-orm';
import { guardOneChange } from '../db/guard.ts';
import { prepared, statement, updateSet } from '../db/statement.ts';
import { wallets, walletTopUps } from '../db/tables/wallet.ts';
import type { CheckoutSession, SavedCharge } from '../kernel/ports/card-processor.ts';
import { type Database, DatabaseError, type Statement } from '../kernel/ports/database.ts';
import type { IsoTime } from '../kernel/time.ts';
import { post, topUp as topUpPosting } from '../ledger/index.ts';
import { PAYMENT_RETURNED } from './wallet.rules.ts';
import { hasHeadroom } from './wallet.store.ts';

export interface NewTopUp {
  readonly id: string;
  readonly agentId: string;
  readonly amountCents: number;
  readonly source: 'checkout' | 'auto_recharge';
  /** Of a saved card, exactly as the processor is asked; null where a person pays at a checkout. */
  readonly charge: SavedCharge | null;
  readonly createdAt: IsoTime;
  readonly expiresAt: IsoTime;
}

export type TopUpStatus = 'open' | 'paid' | 'expired' | 'failed';

export interface TopUp extends NewTopUp {
  readonly status: TopUpStatus;
  readonly sessionId: string | null;
}

type TopUpRow = Omit<TopUp, 'charge'> & { readonly charge: string | null };

const COLUMNS = sql`id, agent_id AS agentId, amount_cents AS amountCents, status, source, charge,
  session_id AS sessionId, created_at AS createdAt, expires_at AS expiresAt`;

const byId = prepared<{
  id: string;
}>(sql`SELECT ${COLUMNS} FROM ${walletTopUps} WHERE id = ${sql.placeholder('id')}`);

export async function findTopUp(db: Database, id: string): Promise<TopUp | null> {
  const row = await db.first<TopUpRow>(byId({ id }));
  return row && topUpOf(row);
}

function topUpOf(row: TopUpRow): TopUp {
  return { ...row, charge: row.charge === null ? null : (JSON.parse(row.charge) as SavedCharge) };
}

const WALLET_HEADROOM = 'wallet_headroom';
const TOP_UP_OPEN = 'top_up_open';
const TOP_UP_UNRETURNED = 'top_up_unreturned';
const TOP_UP_UNPAID = 'top_up_unpaid';

/** The cap does not leave room for the top-up and all that may still come back to the wallet. */
export const hasNoHeadroom = (error: unknown): boolean => refusedBy(error, WALLET_HEADROOM);

/** There is one with this id already. */
export const isKnownTopUp = (error: unknown): boolean =>
  error instanceof DatabaseError && error.constraint === 'wallet_top_ups.id';

/** Its payment goes back: that is decided, and stays so. */
export const isReturning = (error: unknown): boolean => refusedBy(error, TOP_UP_UNRETURNED);

/** It was credited in the meantime. */
export const isCredited = (error: unknown): boolean => refusedBy(error, TOP_UP_UNPAID);

/** The top-up was ended by somebody else in the meantime. */
export const isNoLongerOpen = (error: unknown): boolean => refusedBy(error, TOP_UP_OPEN);

function refusedBy(error: unknown, guard: string): boolean {
  return error instanceof DatabaseError && error.constraint === `guard ${guard}`;
}

/** Opens a top-up, which takes its room under the cap from then on; aborts if there is none. */
export function insertTopUp(topUp: NewTopUp, lookAt: IsoTime): Statement[] {
  const { id, agentId, amountCents, source, charge, createdAt, expiresAt } = topUp;
  return [
    statement(sql`INSERT INTO ${walletTopUps}
      (id, agent_id, amount_cents, status, source, charge, created_at, expires_at, look_at)
      SELECT ${id}, ${agentId}, CAST(${amountCents} AS INTEGER), 'open', ${source},
        ${charge === null ? null : JSON.stringify(charge)}, ${createdAt}, ${expiresAt}, ${lookAt}
      WHERE ${hasHeadroom(agentId, amountCents)}`),
    guardOneChange(WALLET_HEADROOM),
  ];
}

/** The page where it can be paid. */
export function attachCheckout(id: string, session: CheckoutSession, lookAt: IsoTime): Statement[] {
  const changes = { sessionId: session.sessionId, checkoutUrl: session.url, lookAt };
  return [updateSet(walletTopUps, changes, sql`id = ${id} AND status = 'open'`), guardOneChange(TOP_UP_OPEN)];
}

/**
 * Credits a paid top-up. The posting happens once for each top-up, so a second time aborts as already
 * posted. Money that came late, after the top-up had been given up, is credited all the same, unless it was
 * decided that it goes back.
 */
export function creditTopUp(topUp: TopUp, paymentId: string, postingId: string, at: IsoTime): Statement[] {
  const { id, agentId, amountCents } = topUp;
  return [
    post(topUpPosting({ topUpId: id, agentId, amountCents }), postingId, at),
    statement(sql`UPDATE ${walletTopUps} SET status = 'paid', payment_id = ${paymentId}, failure = NULL
      WHERE id = ${id} AND failure IS NOT ${PAYMENT_RETURNED}`),
    guardOneChange(TOP_UP_UNRETURNED),
    statement(sql`UPDATE ${wallets} SET funded_cents = funded_cents + CAST(${amountCents} AS INTEGER)
      WHERE agent_id = ${agentId}`),
  ];
}

/** Ends an open top-up without money; aborts if it has ended already. */
export function closeTopUp(id: string, end: { failure: string } | 'expired'): Statement[] {
  const changes =
    end === 'expired' ? { status: 'expired' as const } : { status: 'failed' as const, failure: end.failure };
  return [updateSet(walletTopUps, changes, sql`id = ${id} AND status = 'open'`), guardOneChange(TOP_UP_OPEN)];
}

/** A payment that is not credited goes back, or went back, to where it came from; aborts if it was credited. */
export function markReturned(id: string): Statement[] {
  const changes = { status: 'failed' as const, failure: PAYMENT_RETURNED };
  return [
    updateSet(walletTopUps, changes, sql`id = ${id} AND status <> 'paid'`),
    guardOneChange(TOP_UP_UNPAID),
  ];
}

/** A top-up as its owner may still pay it. */
export interface OpenTopUp {
  readonly amountCents: number;
  readonly checkoutUrl: string | null;
  readonly expiresAt: IsoTime;
  readonly source: NewTopUp['source'];
  readonly topUpId: string;
}

const openOf = prepared<{ agentId: string }>(sql`SELECT amount_cents AS amountCents,
  checkout_url AS checkoutUrl, expires_at AS expiresAt, source, id AS topUpId
  FROM ${walletTopUps} WHERE agent_id = ${sql.placeholder('agentId')} AND status = 'open' ORDER BY created_at, id`);

export function readOpenTopUps(db: Database, agentId: string): Promise<OpenTopUp[]> {
  return db.all<OpenTopUp>(openOf({ agentId }));
}

/**
 * Open top-ups whose time to be looked at has come. Each is put off before it is given out, so that
 * sweeps do not meet over one, and one that cannot be settled does not keep others waiting.
 */
export async function takeTopUpsToLookAt(
  db: Database,
  now: IsoTime,
  nextLookAt: IsoTime,
  limit: number,
): Promise<TopUp[]> {
  const [rows] = await db.commit([
    statement(sql`UPDATE ${walletTopUps} SET look_at = ${nextLookAt}
      WHERE id IN (SELECT id FROM ${walletTopUps} WHERE status = 'open' AND look_at <= ${now}
        ORDER BY look_at LIMIT CAST(${limit} AS INTEGER))
      RETURNING ${COLUMNS}`),
  ]);
  return (rows as TopUpRow[]).map(topUpOf);
}
