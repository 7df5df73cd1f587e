import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { InvalidReason } from '../verify/index.ts';
import type { PendingPayment } from './pending-payment.ts';

/** The price exceeds a limit. Nothing was signed. */
export class TooExpensiveError extends Error {
  override readonly name = 'TooExpensiveError';

  readonly askedCents: number;
  /** The highest price, or the rest of the spending limit. */
  readonly allowedCents: number;
  readonly limit: 'price' | 'total';

  constructor(askedCents: number, allowedCents: number, limit: 'price' | 'total') {
    const most =
      limit === 'price' ? `at most ${allowedCents} are allowed` : `${allowedCents} are left of the limit`;
    super(`The query costs ${askedCents} cents; ${most}.`);
    this.askedCents = askedCents;
    this.allowedCents = allowedCents;
    this.limit = limit;
  }
}

/**
 * - `not_understood`: the terms of x402 cannot be read, or the two versions contradict each other.
 * - `scheme`, `network`, `asset`: not `exact`, not Base, not the known USDC there.
 * - `recipient`: not an address, or the payer's own.
 * - `resource`: the terms are for another listing or query.
 * - `amount`: not a positive whole number of cents.
 * - `timeout`: too short or too long for a payment.
 */
export type TermsFault =
  | 'not_understood'
  | 'scheme'
  | 'network'
  | 'asset'
  | 'recipient'
  | 'resource'
  | 'amount'
  | 'timeout';

/** This client does not sign such terms. Nothing was signed. */
export class UnacceptableTermsError extends Error {
  override readonly name = 'UnacceptableTermsError';

  readonly fault: TermsFault;
  readonly terms: JsonObject;

  constructor(fault: TermsFault, terms: JsonObject) {
    super(`The terms of payment are not acceptable: ${fault}.`);
    this.fault = fault;
    this.terms = terms;
  }
}

/** The marketplace refused the payment, and sends no data for it. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
  /** A reason of x402 (`insufficient_funds`), or the code of a problem (`sold_out`). An open set. */
  readonly reason: string;
  /** False: nothing was charged, by the marketplace's signed answer. Null: it was charged before, or the answer does not say. */
  readonly charged: false | null;
  readonly payment: PendingPayment;

  constructor(refused: {
    readonly reason: string;
    readonly charged: false | null;
    readonly payment: PendingPayment;
    readonly cause: unknown;
  }) {
    super(`The payment was refused: ${refused.reason}.`, { cause: refused.cause });
    this.reason = refused.reason;
    this.charged = refused.charged;
    this.payment = refused.payment;
  }
}

/**
 * The payment may be charged, but there are no data yet. Do not pay again: send `payment` again with
 * `resumePayment`.
 */
export class PaymentUnresolvedError extends Error {
  override readonly name = 'PaymentUnresolvedError';

  readonly payment: PendingPayment;

  constructor(payment: PendingPayment, cause: unknown) {
    super('The outcome of the payment is not known. Send the same one again with resumePayment.', { cause });
    this.payment = payment;
  }
}

/**
 * - a reason of `verifyPurchaseReceipt`: the receipt or the content is not valid.
 * - `content_changed`: the seller's data changed since the sale, as the marketplace itself reports.
 * - `no_content`: the answer has no data.
 * - `not_as_paid`: the answer is for another listing, price, payer or token.
 */
export type WrongAnswer = InvalidReason | 'content_changed' | 'no_content' | 'not_as_paid';

/** The answer does not have what was paid for: you have reason to complain. */
export class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError';

  readonly reason: WrongAnswer;
  /** As signed by the marketplace, unless the client does not check signatures. */
  readonly answer: JsonObject;
  /** Null if it was free. */
  readonly payment: PendingPayment | null;

  constructor(reason: WrongAnswer, answer: JsonObject, payment: PendingPayment | null) {
    super(`The answer is not what was paid for: ${reason}.`);
    this.reason = reason;
    this.answer = answer;
    this.payment = payment;
  }
}
