import { MarketplaceError, ProvenanceError } from '../client/errors.ts';
import type { CallOptions } from '../client/options.ts';
import { sleep as defaultSleep } from '../client/retry.ts';
import type { KeySource } from '../key-source.ts';
import { PaymentRefusedError, PaymentUnresolvedError } from './errors.ts';
import type { PendingPayment } from './pending-payment.ts';
import type { SpendingLimit } from './spending-limit.ts';

export interface ResumeOptions {
  /** The limit that counts this payment. */
  readonly limit?: SpendingLimit;
  /** The keys to verify receipts with. By default they are fetched from the marketplace. */
  readonly keys?: KeySource;
  /** How long to send the same payment again while its outcome is unknown, in milliseconds. Default 120000. */
  readonly waitMs?: number;
  /** The longest wait before one repetition, in milliseconds: where the marketplace asks for more, the call ends at once. */
  readonly maxDelayMs?: number;
  /** Stops waiting: if a payment is signed by then, the call rejects with PaymentUnresolvedError. */
  readonly signal?: AbortSignal;
  /** Replaced in tests. */
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. Replaced in tests. */
  readonly now?: () => number;
}

const WAIT_MS = 120_000;

/** Sends the request that is paid for, with the headers of its payment. */
export type Send<Answer> = (call: CallOptions) => Promise<Answer>;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/**
 * Sends the same payment until its outcome is known.
 *
 * @throws PaymentRefusedError, or PaymentUnresolvedError after `waitMs`, or instead of a wait of more than `maxDelayMs`.
 */
export async function sendPayment<Answer>(
  send: Send<Answer>,
  payment: PendingPayment,
  {
    limit,
    waitMs = WAIT_MS,
    maxDelayMs = waitMs,
    signal,
    sleep = defaultSleep,
    now = Date.now,
  }: ResumeOptions,
): Promise<Answer> {
  const deadline = now() + waitMs;
  for (let tries = 0; ; tries++) {
    const outcome = await sendOnce(send, payment, signal);
    if (outcome.kind === 'answered') return outcome.answer;
    if (outcome.kind === 'refused') {
      if (outcome.error.charged === false) limit?.release(payment.nonce);
      throw outcome.error;
    }
    const delayMs = outcome.retryAfterMs ?? Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** tries);
    if (!outcome.isWorthRetrying || delayMs > maxDelayMs || now() + delayMs > deadline)
      throw new PaymentUnresolvedError(payment, outcome.cause);
    try {
      await sleep(delayMs, signal);
    } catch (cause) {
      throw new PaymentUnresolvedError(payment, cause);
    }
  }
}

type SendOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly error: PaymentRefusedError }
  | UnknownOutcome;

interface UnknownOutcome {
  readonly kind: 'unknown';
  readonly isWorthRetrying: boolean;
  readonly retryAfterMs: number | null;
  readonly cause: unknown;
}

async function sendOnce<Answer>(
  send: Send<Answer>,
  payment: PendingPayment,
  signal: AbortSignal | undefined,
): Promise<SendOutcome<Answer>> {
  const { header } = payment;
  try {
    const answer = await send({
      headers: { [header.name]: header.value },
      // Each asks the seller again, ten times a day at most: what waits between them is the loop that calls this.
      retries: 0,
      ...(signal ? { signal } : {}),
    });
    return { kind: 'answered', answer };
  } catch (cause) {
    if (cause instanceof ProvenanceError) return unknownOutcome(cause, true);
    if (!(cause instanceof MarketplaceError)) return unknownOutcome(cause, false);
    const refusal = refusalIn(cause);
    if (refusal === null) return unknownOutcome(cause, true);
    return { kind: 'refused', error: new PaymentRefusedError({ ...refusal, payment, cause }) };
  }
}

function unknownOutcome(cause: unknown, isWorthRetrying: boolean): UnknownOutcome {
  const after = cause instanceof MarketplaceError ? cause.headers.get('retry-after') : null;
  const retryAfterMs = after !== null && /^\d{1,6}$/.test(after) ? Number(after) * 1000 : null;
  return { kind: 'unknown', isWorthRetrying, retryAfterMs, cause };
}

/** Refusals of payments that may be settled all the same. */
const USED_PAYMENT_CODES = ['payment_spent', 'payment_used_elsewhere', 'payment_identifier_reused'];
/** Refusals of the request that say nothing about the payment: retry. */
const RETRY_CODES = ['payment_in_progress', 'idempotency_in_flight', 'rate_limited'];
/** Refusals of the key that was sent beside a payment; those of an unknown one are 401. */
const KEY_CODES = ['scope_missing', 'agent_suspended', 'account_erasing'];
const NOT_FOR_USDC = 'x402_not_available';

/** The final refusal in an answer; null: the same payment must be sent again to learn its outcome. */
function refusalIn(error: MarketplaceError): { reason: string; charged: false | null } | null {
  const { status, problem } = error;
  if (status === 402 && typeof problem.error === 'string') {
    // The answer to a request without a payment: ours did not arrive, or this is an old answer.
    return problem.error === 'Payment required' ? null : { reason: problem.error, charged: false };
  }
  // A proxy answered, not the marketplace.
  if (typeof problem.code !== 'string' || RETRY_CODES.includes(problem.code)) return null;
  const { code, charged } = problem;
  // The key beside it was refused, and the payment not looked at.
  const isOfKey = status === 401 || KEY_CODES.includes(code);
  const isRefusal =
    code === NOT_FOR_USDC ||
    (status >= 400 && status < 500 && status !== 429) ||
    ((status === 502 || status === 504) && charged === false);
  if (!isRefusal) return null;
  return {
    reason: code,
    charged: charged === false && !isOfKey && !USED_PAYMENT_CODES.includes(code) ? false : null,
  };
}
