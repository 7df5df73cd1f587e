import type { JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import { withQuery } from '../client/build-request.ts';
import type { MarketplaceClient } from '../client/client.ts';
import { MarketplaceError } from '../client/errors.ts';
import { sleep as defaultSleep } from '../client/retry.ts';
import type { KeySource } from '../key-source.ts';
import { type KeySet, keySetOf } from '../keys.ts';
import { PaymentRefusedError, TooExpensiveError } from './errors.ts';
import { checkAnswer, type PaidAnswer, type QueriedPurchase } from './paid-answer.ts';
import type { PayingAccount } from './paying-account.ts';
import type { PendingPayment } from './pending-payment.ts';
import { sendPayment } from './send-payment.ts';
import { newNonce, signPayment } from './sign-payment.ts';
import type { SpendingLimit } from './spending-limit.ts';
import { readTerms } from './terms.ts';

export interface ResumeOptions {
  /** Counts what this payment costs. */
  readonly limit?: SpendingLimit;
  /** Where receipts' keys come from. By default the marketplace is asked. */
  readonly keys?: KeySource;
  /** How long the same payment is sent again while its outcome is unknown, in milliseconds. Default 120000. */
  readonly waitMs?: number;
  /** Ends the waiting: if something is signed by then, the call rejects with PaymentUnresolvedError. */
  readonly signal?: AbortSignal;
  /** Replaced in tests. */
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. Replaced in tests. */
  readonly now?: () => number;
}

export interface PayAndQueryOptions extends ResumeOptions {
  /** What this one query may cost. It has no default: it is your money. */
  readonly maxPriceCents: number;
  /** Stores the payment before it is sent, for `resumePayment` after a crash. If it fails, nothing is sent. */
  readonly onSigned?: (payment: PendingPayment) => void | Promise<void>;
}

type Payee = Pick<MarketplaceClient, 'queryListing' | 'getSigningKey'>;

const WAIT_MS = 120_000;

/**
 * Buys one query over x402: asks for the price, checks what is asked, signs one transfer of USDC and sends it
 * until the data are there. One call signs once at most: where the outcome stays unknown, the same payment is
 * sent again, and never another.
 *
 *     const { content } = await payAndQuery(client, listingId, { city: 'Brest' }, account, { maxPriceCents: 5 });
 *
 * @throws TooExpensiveError, UnacceptableTermsError: nothing was signed.
 * @throws PaymentRefusedError: there are no data for this payment; `charged` says what became of the money.
 * @throws PaymentUnresolvedError: it may be paid. Give its `payment` to `resumePayment`.
 * @throws WrongAnswerError: it was paid, and the answer is not what it should be.
 * @throws MarketplaceError, ProvenanceError from before there was a payment.
 */
export async function payAndQuery(
  client: Payee,
  listingId: string,
  query: Readonly<Record<string, unknown>>,
  account: PayingAccount,
  options: PayAndQueryOptions,
): Promise<PaidAnswer> {
  const { maxPriceCents, limit, onSigned, signal, now = Date.now } = options;
  if (!Number.isSafeInteger(maxPriceCents) || maxPriceCents < 0) {
    throw new TypeError('maxPriceCents must be a whole number of cents.');
  }
  const keys = options.keys ?? keysOf(client);
  const asked = await askTerms(client, listingId, query, signal);
  if (asked.kind === 'free') return checkAnswer(asked.answer, listingId, null, latest(keys));

  const path = withQuery(`/x402/listings/${encodeURIComponent(listingId)}/query`, query);
  const terms = readTerms(asked.body, asked.header, { path, payer: account.address });
  if (terms.amountCents > maxPriceCents)
    throw new TooExpensiveError(terms.amountCents, maxPriceCents, 'price');
  const nonce = newNonce();
  limit?.hold(nonce, terms.amountCents);
  let payment: PendingPayment;
  try {
    // Whoever cannot check the receipt should not pay.
    await keys.keysFor(keyIdOf(asked.body));
    payment = await signPayment(account, terms, { listingId, query, nonce }, now());
    await onSigned?.(payment);
    signal?.throwIfAborted();
  } catch (error) {
    limit?.giveBack(nonce);
    throw error;
  }
  return finish(client, payment, { ...options, keys });
}

/**
 * Sends a payment again whose outcome was not known, for example after a crash. It is charged once, however
 * often it is sent, and brings the data for a day after the sale.
 *
 * @throws as `payAndQuery`, from where the payment was signed.
 */
export async function resumePayment(
  client: Payee,
  payment: PendingPayment,
  options: ResumeOptions = {},
): Promise<PaidAnswer> {
  options.limit?.count(payment.nonce, payment.amountCents);
  return finish(client, payment, { ...options, keys: options.keys ?? keysOf(client) });
}

async function finish(
  client: Payee,
  payment: PendingPayment,
  options: ResumeOptions & { readonly keys: KeySource },
): Promise<PaidAnswer> {
  const { limit, keys, waitMs = WAIT_MS, signal, sleep = defaultSleep, now = Date.now } = options;
  try {
    const answer = await sendPayment(client, payment, { waitMs, signal, sleep, now });
    return await checkAnswer(answer, payment.listingId, payment, latest(keys));
  } catch (error) {
    if (error instanceof PaymentRefusedError && error.charged === false) limit?.giveBack(payment.nonce);
    throw error;
  }
}

type Asked =
  | { readonly kind: 'free'; readonly answer: QueriedPurchase }
  | { readonly kind: 'priced'; readonly body: JsonObject; readonly header: string | null };

async function askTerms(
  client: Payee,
  listingId: string,
  query: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  const input = { listingId, parameters: query as Record<string, string> };
  try {
    return { kind: 'free', answer: await client.queryListing(input, signal ? { signal } : {}) };
  } catch (error) {
    const isTerms = error instanceof MarketplaceError && error.status === 402 && 'accepts' in error.problem;
    if (!isTerms) throw error;
    return { kind: 'priced', body: error.problem, header: error.headers.get('payment-required') };
  }
}

function keysOf(client: Payee): KeySource {
  let known: KeySet | null = null;
  return {
    async keysFor(keyId) {
      if (!known?.get(keyId)) known = keySetOf(await client.getSigningKey());
      return known;
    },
  };
}

/** The keys, if they can be had: what was paid for is not thrown away because nobody can check it now. */
function latest(keys: KeySource): (keyId: string) => Promise<KeySet> {
  return (keyId) => keys.keysFor(keyId).catch(() => ({ keys: [], get: () => undefined }));
}

function keyIdOf({ provenance }: JsonObject): string {
  const { receipt } = (provenance ?? {}) as { receipt?: { keyId?: unknown } };
  return String(receipt?.keyId);
}
