import { isJsonObject, type JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import type { Answered } from '../client/client.ts';
import type { Operations } from '../generated/api.ts';
import type { KeySet } from '../keys.ts';
import { verifyPurchaseReceipt } from '../verify/index.ts';
import { WrongAnswerError } from './errors.ts';
import type { PendingPayment } from './pending-payment.ts';

export type QueriedPurchase = Answered<Operations['queryListing']['output']>;

/** The data of one query, and what they cost. */
export interface PaidAnswer {
  readonly content: JsonObject;
  /** The whole answer. Store it with the keys to check it at any later time. */
  readonly purchase: QueriedPurchase;
  readonly receipt: NonNullable<QueriedPurchase['receipt']>;
  /** Settled it, as the marketplace says; null for what is free. To be sure, look at the chain. */
  readonly transaction: string | null;
  /** Null for what is free. */
  readonly payer: string | null;
  readonly paidCents: number;
}

/**
 * Checks that an answer is what was asked for, for the price that was signed, with a receipt that binds it.
 *
 * @param payment null where nothing was signed, and so nothing may have been paid.
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
  if (!isOfPayment(answer.payment, payment)) throw wrong('not_as_paid');
  if (!isJsonObject(receipt)) throw wrong('no_receipt');
  if (!isJsonObject(content)) throw wrong('no_content');
  const checked = await verifyPurchaseReceipt(answer, await keysFor(String(receipt.keyId)));
  if (!checked.valid) {
    const isSaid = checked.reason === 'content_mismatch' && answer.contentMatchesReceipt === false;
    throw wrong(isSaid ? 'content_changed' : checked.reason);
  }
  return {
    content,
    purchase: answer,
    receipt,
    transaction: answer.payment?.transaction ?? null,
    payer: payment?.payer ?? null,
    paidCents: amountCents,
  };
}

function isOfPayment(said: QueriedPurchase['payment'], payment: PendingPayment | null): boolean {
  if (payment === null || said === null || said === undefined) return payment === null && !said;
  const { payer, asset, chainId, amountCents } = payment;
  return (
    isSame(said.payer, payer) &&
    isSame(said.asset, asset) &&
    said.network === `eip155:${chainId}` &&
    said.amountUnits === String(BigInt(amountCents) * 10_000n) &&
    /^0x[0-9a-fA-F]{64}$/.test(String(said.transaction))
  );
}

function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && one.toLowerCase() === other.toLowerCase();
}
