import type { MarketplaceClient } from '../client/client.ts';
import { MarketplaceError, ProvenanceError } from '../client/errors.ts';
import { PaymentRefusedError, PaymentUnresolvedError } from './errors.ts';
import type { QueriedPurchase } from './paid-answer.ts';
import type { PendingPayment } from './pending-payment.ts';

export interface Patience {
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
  readonly sleep: (durationMs: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

/**
 * Sends one payment until its outcome is known, always the same one.
 *
 * @throws PaymentRefusedError, or PaymentUnresolvedError once patience is at its end.
 */
export async function sendPayment(
  client: Pick<MarketplaceClient, 'queryListing'>,
  payment: PendingPayment,
  { waitMs, signal, sleep, now }: Patience,
): Promise<QueriedPurchase> {
  const deadline = now() + waitMs;
  for (let tries = 0; ; tries++) {
    const sent = await trySending(client, payment, signal);
    if (sent.kind === 'answered') return sent.answer;
    if (sent.kind === 'refused') throw sent.error;
    const delayMs = sent.retryAfterMs ?? Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** tries);
    if (!sent.mayHelp || now() + delayMs > deadline) throw new PaymentUnresolvedError(payment, sent.cause);
    try {
      await sleep(delayMs, signal);
    } catch (cause) {
      throw new PaymentUnresolvedError(payment, cause);
    }
  }
}

type Sent =
  | { readonly kind: 'answered'; readonly answer: QueriedPurchase }
  | { readonly kind: 'refused'; readonly error: PaymentRefusedError }
  | {
      readonly kind: 'unknown';
      readonly mayHelp: boolean;
      readonly retryAfterMs: number | null;
      readonly cause: unknown;
    };

async function trySending(
  client: Pick<MarketplaceClient, 'queryListing'>,
  payment: PendingPayment,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const { listingId, query, header } = payment;
  try {
    const answer = await client.queryListing(
      { listingId, parameters: query as Record<string, string> },
      { headers: { [header.name]: header.value }, ...(signal ? { signal } : {}) },
    );
    return { kind: 'answered', answer };
  } catch (cause) {
    if (cause instanceof ProvenanceError) return unknown(cause, true);
    if (!(cause instanceof MarketplaceError)) return unknown(cause, false);
    const refusal = refusalIn(cause);
    if (refusal === null) return unknown(cause, true);
    return { kind: 'refused', error: new PaymentRefusedError({ ...refusal, payment, cause }) };
  }
}

function unknown(cause: unknown, mayHelp: boolean): Sent {
  const after = cause instanceof MarketplaceError ? cause.headers.get('retry-after') : null;
  const retryAfterMs = after !== null && /^\d{1,6}$/.test(after) ? Number(after) * 1000 : null;
  return { kind: 'unknown', mayHelp, retryAfterMs, cause };
}

/** What may be settled all the same, or was. */
const OF_USED_PAYMENTS = ['payment_spent', 'payment_used_elsewhere', 'payment_identifier_reused'];
/** Refusals of this request that say nothing of the payment: another try finds out. */
const ASK_AGAIN = ['payment_in_progress', 'idempotency_in_flight', 'rate_limited'];
const NOT_FOR_USDC = 'x402_not_available';

/** What the marketplace's answer says for good; null: the same payment must be sent again to know. */
function refusalIn(error: MarketplaceError): { reason: string; charged: false | null } | null {
  const { status, problem } = error;
  if (status === 402 && typeof problem.error === 'string') {
    // The answer to somebody without a payment: ours did not arrive, or this is an old answer.
    return problem.error === 'Payment required' ? null : { reason: problem.error, charged: false };
  }
  // Not from the marketplace, but from something on the way.
  if (typeof problem.code !== 'string' || ASK_AGAIN.includes(problem.code)) return null;
  const { code, charged } = problem;
  const isRefusal =
    code === NOT_FOR_USDC ||
    (status >= 400 && status < 500 && status !== 429) ||
    ((status === 502 || status === 504) && charged === false);
  if (!isRefusal) return null;
  return { reason: code, charged: charged === false && !OF_USED_PAYMENTS.includes(code) ? false : null };
}
