import { sql } from 'drizzle-orm';
import { insertInto, prepared, updateSet } from '../../../db/statement.ts';
import { usdcPayments } from '../../../db/tables/usdc-payments.ts';
import type { Hex } from '../../../kernel/ports/chain.ts';
import { type Database, DatabaseError, type Statement } from '../../../kernel/ports/database.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import type { UsdcOffer, UsdcPayment } from './usdc-payment.ts';

type Row = Omit<typeof usdcPayments.$inferSelect, 'checkAt'>;

const COLUMNS = sql`purchase_id AS purchaseId, chain_id AS chainId, payer, pay_to AS payTo, units,
  valid_after AS validAfter, valid_before AS validBefore, nonce, binding, payment_identifier AS paymentIdentifier,
  content_digest AS contentDigest, delivered_at AS deliveredAt, transaction_hash AS transactionHash, settled_by AS settledBy,
  is_live AS isLive`;

const ofPurchase = prepared<{ id: string }>(
  sql`SELECT ${COLUMNS} FROM ${usdcPayments} WHERE purchase_id = ${sql.placeholder('id')}`,
);
const known = prepared<{ payer: string; nonce: string; identifier: string | null }>(
  sql`SELECT ${COLUMNS} FROM ${usdcPayments}
      WHERE payer = ${sql.placeholder('payer')} AND nonce = ${sql.placeholder('nonce')}
    UNION
    SELECT ${COLUMNS} FROM ${usdcPayments}
      WHERE payment_identifier = ${sql.placeholder('identifier')} AND is_live = 1
    ORDER BY isLive DESC LIMIT 20`,
);

const suspects = prepared<{ now: IsoTime; limit: number }>(sql`SELECT ${COLUMNS}, EXISTS (SELECT 1
      FROM ${usdcPayments} AS other WHERE other.payer = ${usdcPayments.payer} AND other.nonce = ${usdcPayments.nonce}
        AND other.is_live = 1 AND other.purchase_id <> ${usdcPayments.purchaseId}) AS isTaken
  FROM ${usdcPayments} WHERE check_at <= ${sql.placeholder('now')}
  ORDER BY check_at LIMIT ${sql.placeholder('limit')}`);

/** What is recorded of the payment of a sale; it must be there. */
export async function requireUsdcPayment(market: Database, purchaseId: string): Promise<UsdcPayment> {
  const found = await findUsdcPayment(market, purchaseId);
  if (found === null) throw new Error(`Purchase ${purchaseId} has no payment in USDC.`);
  return found;
}

export async function findUsdcPayment(market: Database, purchaseId: string): Promise<UsdcPayment | null> {
  const row = await market.first<Row>(ofPurchase({ id: purchaseId }));
  return row && paymentOf(row);
}

/** What is recorded of an authorisation, and of an id that a payer gave: live ones first. */
export async function findUsdcPayments(
  market: Database,
  { payer, nonce, identifier }: { payer: Hex; nonce: Hex; identifier: string | null },
): Promise<UsdcPayment[]> {
  return (await market.all<Row>(known({ payer, nonce, identifier }))).map(paymentOf);
}

/**
 * Payments whose purchases ended without them, and of which it is time to ask what became; `isTaken`: another
 * purchase lives by the same authorisation now.
 */
export async function listEndedPayments(
  market: Database,
  now: IsoTime,
  limit: number,
): Promise<{ readonly recorded: UsdcPayment; readonly isTaken: boolean }[]> {
  const rows = await market.all<Row & { isTaken: number }>(suspects({ now, limit }));
  return rows.map(({ isTaken, ...row }) => ({ recorded: paymentOf(row), isTaken: isTaken === 1 }));
}

/** When it is asked about next; null: nothing can come of it any more. */
export function scheduleCheck(purchaseId: string, checkAt: IsoTime | null): Statement {
  return updateSet(usdcPayments, { checkAt }, sql`purchase_id = ${purchaseId}`);
}

/** What settled it, so that it is found however long ago it was. */
export function noteTransaction(purchaseId: string, transactionHash: Hex): Statement {
  return updateSet(usdcPayments, { transactionHash }, sql`purchase_id = ${purchaseId}`);
}

/** Has an authorisation belong to a purchase that ended unpaid. Aborts where another one lives by it. */
export function makeLive(purchaseId: string): Statement {
  // Its payer may have given the same id to another payment since.
  return updateSet(usdcPayments, { isLive: 1, paymentIdentifier: null }, sql`purchase_id = ${purchaseId}`);
}

/** It is free again. */
export function makeFree(purchaseId: string): Statement {
  return updateSet(usdcPayments, { isLive: 0 }, sql`purchase_id = ${purchaseId}`);
}

export function insertUsdcPayment(purchaseId: string, chainId: number, offer: UsdcOffer): Statement {
  const { from, to, units, validAfter, validBefore, nonce } = offer.transfer.authorization;
  return insertInto(usdcPayments, {
    purchaseId,
    chainId,
    payer: from,
    payTo: to,
    units: String(units),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
    binding: offer.binding,
    paymentIdentifier: offer.identifier,
  });
}

/** Another purchase lives by the same authorisation or payment id. */
export function isPaymentTaken(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    error.kind === 'constraint' &&
    error.constraint.includes('usdc_payments.')
  );
}

/**
 * Notes what was delivered, before settlement is asked for: from here on the sale ends as the chain says. May be
 * written twice.
 */
export function noteDelivered(
  purchaseId: string,
  delivered: { readonly contentDigest: string; readonly deliveredAt: IsoTime },
): Statement {
  return updateSet(usdcPayments, delivered, sql`purchase_id = ${purchaseId}`);
}

/** The chain shows what settled it. */
export function recordSettledBy(purchaseId: string, settledBy: Hex): Statement {
  return updateSet(usdcPayments, { settledBy, transactionHash: settledBy }, sql`purchase_id = ${purchaseId}`);
}

function paymentOf(row: Row): UsdcPayment {
  const { payer, payTo, units, validAfter, validBefore, nonce, isLive, ...rest } = row;
  return {
    ...rest,
    isLive: isLive === 1,
    authorization: {
      from: payer,
      to: payTo,
      units: BigInt(units),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce,
    },
  };
}
