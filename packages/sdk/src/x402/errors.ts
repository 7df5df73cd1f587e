import type { JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import type { InvalidReason } from '../verify/index.ts';
import type { PendingPayment } from './pending-payment.ts';

/** It costs more than it may. Nothing was signed. */
export class TooExpensiveError extends Error {
  override readonly name = 'TooExpensiveError';

  readonly askedCents: number;
  /** The highest price, or what is left of the spending limit. */
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
 * - `not_understood`: no terms of x402 that can be read, or the two versions contradict each other.
 * - `scheme`, `network`, `asset`: not `exact`, not Base, not the USDC that is known there.
 * - `recipient`: no address, or the payer's own.
 * - `resource`: the terms are for another listing or query.
 * - `amount`: no whole number of cents above zero.
 * - `timeout`: shorter or longer than a payment takes.
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

/** What was asked for is not what this client signs. Nothing was signed. */
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

/** The marketplace will not give the data for this payment. */
export class PaymentRefusedError extends Error {
  override readonly name = 'PaymentRefusedError';
  /** A reason of x402 (`insufficient_funds`), or the code of a problem (`sold_out`). An open set. */
  readonly reason: string;
  /** False: nothing was, by the marketplace's signed answer. Null: it was before, or nobody says. */
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
 * Nobody knows yet whether it was charged, or it was and there are no data yet. Do not pay anew: send
 * `payment` again with `resumePayment`.
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
 * - one of `verifyPurchaseReceipt`: the receipt or the content is not what it should be.
 * - `content_changed`: sent again, the data are not those of the sale any more, and the marketplace says so.
 * - `no_content`: there are no data in the answer.
 * - `not_as_paid`: the answer is about another listing, price, payer or token than was paid.
 */
export type WrongAnswer = InvalidReason | 'content_changed' | 'no_content' | 'not_as_paid';

/** There is an answer, and it does not hold what was paid for: a reason for a complaint. */
export class WrongAnswerError extends Error {
  override readonly name = 'WrongAnswerError';

  readonly reason: WrongAnswer;
  /** Signed by the marketplace as it is, unless the client does not check signatures. */
  readonly answer: JsonObject;
  /** Null: it cost nothing. */
  readonly payment: PendingPayment | null;

  constructor(reason: WrongAnswer, answer: JsonObject, payment: PendingPayment | null) {
    super(`The answer is not what was paid for: ${reason}.`);
    this.reason = reason;
    this.answer = answer;
    this.payment = payment;
  }
}
