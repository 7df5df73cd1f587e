import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { SignedAnswer } from '../client/client.ts';
import type { Operations } from '../generated/api.ts';
import type { KeySet } from '../keys.ts';
import { verifyPurchaseReceipt } from '../verify/index.ts';
import { equalsIgnoringCase } from './equals-ignoring-case.ts';
import { WrongAnswerError } from './errors.ts';
import type { PendingPayment } from './pending-payment.ts';

export type QueriedPurchase = SignedAnswer<Operations['queryListing']['output']>;

/** The data of one query and their price. */
export interface PaidAnswer {
  readonly content: JsonObject;
  /** The whole answer. Store it with the keys to check it at any later time. */
  readonly purchase: QueriedPurchase;
  readonly receipt: NonNullable<QueriedPurchase['receipt']>;
  /** The transaction that settled it, as the marketplace says: verify it on chain. Null if it was free. */
  readonly transaction: string | null;
  /** Null if it was free. */
  readonly payer: string | null;
  readonly paidCents: number;
}

/**
 * Checks that an answer is for this query and the signed price, with a receipt that binds its content.
 *
 * @param payment null if nothing was signed, so that nothing may have been paid.
 * @throws WrongAnswerError
 */
export async function checkAnswer(
  answer: QueriedPurchase,
  listingId: string,
  payment: PendingPayment | null,
  keysFor: (keyId: string) => Promise<KeySet>,
): Promise<PaidAnswer> {
  const wrong = (reason: ConstructorParameters<typeof WrongAnswerError>[0]) =>
    new WrongAnswerError(reason, answer as unknown as JsonObject, payment);
  const { receipt, content } = answer;
  const amountCents = payment?.amountCents ?? 0;
  if (answer.listingId !== listingId || answer.amountCents !== amountCents) throw wrong('not_as_paid');
  if (!matchesPayment(answer.payment, payment)) throw wrong('not_as_paid');
  if (!isJsonObject(receipt)) throw wrong('no_receipt');
  if (!isJsonObject(content))
    throw wrong(answer.contentStatus === 'changed' ? 'content_changed' : 'no_content');
  const checked = await verifyPurchaseReceipt(answer, await keysFor(String(receipt.keyId)));
  if (!checked.valid) throw wrong(checked.reason);
  return {
    content,
    purchase: answer,
    receipt,
    transaction: answer.payment?.transaction ?? null,
    payer: payment?.payer ?? null,
    paidCents: amountCents,
  };
}

function matchesPayment(settled: QueriedPurchase['payment'], payment: PendingPayment | null): boolean {
  if (payment === null || settled === null || settled === undefined) return payment === null && !settled;
  const { payer, asset, chainId, amountCents } = payment;
  return (
    equalsIgnoringCase(settled.payer, payer) &&
    equalsIgnoringCase(settled.asset, asset) &&
    settled.network === `eip155:${chainId}` &&
    settled.amountUnits === String(BigInt(amountCents) * 10_000n) &&
    /^0x[0-9a-fA-F]{64}$/.test(String(settled.transaction))
  );
}
