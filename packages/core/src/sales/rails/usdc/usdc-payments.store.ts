import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import {
  and,
  desc,
  eq,
  exists,
  getTableColumns,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type Placeholder,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { asBoolean, build } from '../../../db/build.ts';
import { isConflictIn, isGuard } from '../../../db/constraint.ts';
import { abortWhere, guardOneChange } from '../../../db/guard.ts';
import { insertInto } from '../../../db/insert-into.ts';
import { type Params, query, write } from '../../../db/query.ts';
import { purchases } from '../../../db/tables/purchases.ts';
import { payments } from '../../../db/tables/sales.ts';
import { usdcPayments } from '../../../db/tables/usdc-payments.ts';
import type { TransferAuthorization } from '../../../kernel/ports/chain.ts';
import type { Database, Statement } from '../../../kernel/ports/database.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import type { DeliveryFacts } from '../../delivery/sign-receipt.ts';
import type { RecordedOffer, UsdcPayment } from './usdc-payment.ts';

const { checkAt: _checkAt, provedAt: _provedAt, ...FIELDS } = getTableColumns(usdcPayments);
type Row = Omit<typeof usdcPayments.$inferSelect, 'checkAt' | 'provedAt'>;

const ofPurchase = query((p: Params<{ id: string }>) =>
  build.select(FIELDS).from(usdcPayments).where(eq(usdcPayments.purchaseId, p.id)),
);

const known = query((p: Params<{ payer: Hex; nonce: Hex; identifier: string | null }>) => {
  const ofIdentifier = build
    .select(FIELDS)
    .from(usdcPayments)
    .where(and(eq(usdcPayments.paymentIdentifier, p.identifier), eq(usdcPayments.isLive, true)));
  return build
    .select(FIELDS)
    .from(usdcPayments)
    .where(and(eq(usdcPayments.payer, p.payer), eq(usdcPayments.nonce, p.nonce)))
    .union(ofIdentifier)
    .orderBy(desc(sql.identifier('isLive')))
    .limit(20);
});

const settledOf = query((p: Params<{ payer: Hex }>) =>
  build
    .select({ id: usdcPayments.purchaseId })
    .from(usdcPayments)
    .where(and(eq(usdcPayments.payer, p.payer), isNotNull(usdcPayments.settledBy)))
    .limit(1),
);

/** Whether any payment of this account was settled. */
export async function hasSettledPayment(market: Database, payer: Hex): Promise<boolean> {
  return (await settledOf.first(market, { payer })) !== null;
}

/** Many requests at once with one payment are one record. */
const ALREADY_RECORDED = 'payment_already_recorded';

const abortIfEnded = write((p: Params<{ payer: Hex; nonce: Hex }>) =>
  abortWhere(
    ALREADY_RECORDED,
    exists(
      build
        .select({ id: usdcPayments.purchaseId })
        .from(usdcPayments)
        .where(
          and(
            eq(usdcPayments.payer, p.payer),
            eq(usdcPayments.nonce, p.nonce),
            eq(usdcPayments.isLive, false),
          ),
        ),
    ),
  ),
);

export const isAlreadyRecorded = (error: unknown): boolean => isGuard(error, ALREADY_RECORDED);

/** Aborts the transaction where a purchase is recorded that ended without this authorisation. */
export function requireUnrecorded({ from, nonce }: Pick<TransferAuthorization, 'from' | 'nonce'>): Statement {
  return abortIfEnded({ payer: from, nonce });
}

const other = alias(usdcPayments, 'other');

const suspects = query((p: Params<{ now: IsoTime; limit: number }>) => {
  const ofAnother = build
    .select({ id: other.purchaseId })
    .from(other)
    .where(
      and(
        eq(other.payer, usdcPayments.payer),
        eq(other.nonce, usdcPayments.nonce),
        eq(other.isLive, true),
        ne(other.purchaseId, usdcPayments.purchaseId),
      ),
    );
  return build
    .select({ recorded: FIELDS, isTaken: asBoolean(exists(ofAnother)) })
    .from(usdcPayments)
    .where(lte(usdcPayments.checkAt, p.now))
    .orderBy(usdcPayments.checkAt)
    .limit(p.limit);
});

/** Fewer tries are over within an hour. */
const TRIES_OF_AN_HOUR = 6;

/**
 * As a condition on a payment in USDC, joined with its sale: it settled after the sale had ended, and was tried to be paid
 * back for more than an hour.
 */
export const isPaymentReturnOwed = sql`(${usdcPayments.checkAt} IS NOT NULL AND ${usdcPayments.isLive} = 1
  AND ${usdcPayments.transactionHash} IS NOT NULL AND ${payments.attempts} > ${sql.raw(String(TRIES_OF_AN_HOUR))}
  AND ${purchases.status} IN ('failed', 'expired'))`;

const owedReturn = query((p: Params<{ id: string }>) =>
  build
    .select({ id: usdcPayments.purchaseId })
    .from(usdcPayments)
    .innerJoin(payments, eq(payments.purchaseId, usdcPayments.purchaseId))
    .innerJoin(purchases, eq(purchases.id, usdcPayments.purchaseId))
    .where(and(eq(usdcPayments.purchaseId, p.id), isPaymentReturnOwed)),
);

/** Whether the payment of a sale that had ended is still to be paid back. */
export async function findOwedReturn(market: Database, purchaseId: string): Promise<boolean> {
  return (await owedReturn.first(market, { id: purchaseId })) !== null;
}

/** What is recorded of the payment of a sale; it must be there. */
export async function requireUsdcPayment(market: Database, purchaseId: string): Promise<UsdcPayment> {
  const found = await findUsdcPayment(market, purchaseId);
  if (found === null) throw new Error(`Purchase ${purchaseId} has no payment in USDC.`);
  return found;
}

export async function findUsdcPayment(market: Database, purchaseId: string): Promise<UsdcPayment | null> {
  const row = await ofPurchase.first(market, { id: purchaseId });
  return row && paymentOf(row);
}

/** What is recorded of an authorisation, and of an id that a payer gave: live ones first. */
export async function findUsdcPayments(
  market: Database,
  { payer, nonce, identifier }: { payer: Hex; nonce: Hex; identifier: string | null },
): Promise<UsdcPayment[]> {
  return (await known.all(market, { payer, nonce, identifier })).map(paymentOf);
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
  const rows = await suspects.all(market, { now, limit });
  return rows.map(({ recorded, isTaken }) => ({ recorded: paymentOf(recorded), isTaken }));
}

const isOfPurchase = (p: { readonly purchaseId: Placeholder<'purchaseId', string> }) =>
  eq(usdcPayments.purchaseId, p.purchaseId);

const setCheck = write((p: Params<{ purchaseId: string; checkAt: IsoTime | null }>) =>
  build.update(usdcPayments).set({ checkAt: p.checkAt }).where(isOfPurchase(p)),
);

const setTransaction = write((p: Params<{ purchaseId: string; transactionHash: Hex }>) =>
  build.update(usdcPayments).set({ transactionHash: p.transactionHash }).where(isOfPurchase(p)),
);

// Its payer may have given the same id to another payment since.
const setLive = write((p: Params<{ purchaseId: string }>) =>
  build.update(usdcPayments).set({ isLive: true, paymentIdentifier: null }).where(isOfPurchase(p)),
);

const setFree = write((p: Params<{ purchaseId: string }>) =>
  build.update(usdcPayments).set({ isLive: false }).where(isOfPurchase(p)),
);

const setDelivered = write((p: Params<{ purchaseId: string } & DeliveryFacts>) =>
  build
    .update(usdcPayments)
    .set({
      contentDigest: p.contentDigest,
      deliveredAt: p.deliveredAt,
      outputSchemaDigest: p.outputSchemaDigest,
      latencyMs: p.latencyMs,
    })
    .where(isOfPurchase(p)),
);

const setSettledBy = write((p: Params<{ purchaseId: string; settledBy: Hex }>) =>
  build
    .update(usdcPayments)
    .set({ settledBy: p.settledBy, transactionHash: p.settledBy })
    .where(isOfPurchase(p)),
);

const setProved = write((p: Params<{ purchaseId: string; issuedAt: IsoTime }>) =>
  build
    .update(usdcPayments)
    .set({ provedAt: p.issuedAt })
    .where(and(isOfPurchase(p), or(isNull(usdcPayments.provedAt), lt(usdcPayments.provedAt, p.issuedAt)))),
);

const PROOF_UNSPENT = 'payer_proof';

/** Spends a payer's challenge, and with it all that were issued before. Aborts if it is spent. */
export function spendProof(purchaseId: string, issuedAt: IsoTime): Statement[] {
  return [setProved({ purchaseId, issuedAt }), guardOneChange(PROOF_UNSPENT)];
}

export const isProofSpent = (error: unknown): boolean => isGuard(error, PROOF_UNSPENT);

/** When it is asked about next; null: nothing can come of it any more. */
export function scheduleCheck(purchaseId: string, checkAt: IsoTime | null): Statement {
  return setCheck({ purchaseId, checkAt });
}

/** What settled it, so that it is found however long ago it was. */
export function noteTransaction(purchaseId: string, transactionHash: Hex): Statement {
  return setTransaction({ purchaseId, transactionHash });
}

/** Has an authorisation belong to a purchase that ended unpaid. Aborts where another one lives by it. */
export function makeLive(purchaseId: string): Statement {
  return setLive({ purchaseId });
}

/** It is free again. */
export function makeFree(purchaseId: string): Statement {
  return setFree({ purchaseId });
}

export function insertUsdcPayment(purchaseId: string, chainId: number, offer: RecordedOffer): Statement {
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
    network: offer.network,
    parametersDigest: offer.parametersDigest,
  });
}

/** Another purchase lives by the same authorisation or payment id. */
export function isPaymentTaken(error: unknown): boolean {
  return isConflictIn(error, usdcPayments);
}

/**
 * Notes what was delivered, before settlement is asked for: from here on the sale ends as the chain says. May be
 * written twice.
 */
export function noteDelivered(purchaseId: string, delivered: DeliveryFacts): Statement {
  return setDelivered({ purchaseId, ...delivered });
}

/** The chain shows what settled it. */
export function recordSettledBy(purchaseId: string, settledBy: Hex): Statement {
  return setSettledBy({ purchaseId, settledBy });
}

function paymentOf(row: Row): UsdcPayment {
  const { payer, payTo, units, validAfter, validBefore, nonce, ...rest } = row;
  return {
    ...rest,
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
