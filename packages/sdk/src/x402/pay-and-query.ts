import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
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
  /** The limit that counts this payment. */
  readonly limit?: SpendingLimit;
  /** The keys to verify receipts with. By default they are fetched from the marketplace. */
  readonly keys?: KeySource;
  /** How long to send the same payment again while its outcome is unknown, in milliseconds. Default 120000. */
  readonly waitMs?: number;
  /** Stops waiting: if a payment is signed by then, the call rejects with PaymentUnresolvedError. */
  readonly signal?: AbortSignal;
  /** Replaced in tests. */
  readonly sleep?: (durationMs: number, signal?: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. Replaced in tests. */
  readonly now?: () => number;
}

export interface PayAndQueryOptions extends ResumeOptions {
  /** The highest price of this query. It has no default: it is your money. */
  readonly maxPriceCents: number;
  /** Called before the payment is sent: store it for `resumePayment` after a crash. If it throws, nothing is sent. */
  readonly onSigned?: (payment: PendingPayment) => void | Promise<void>;
}

type QueryClient = Pick<MarketplaceClient, 'queryListing' | 'getSigningKey'>;

const WAIT_MS = 120_000;

/**
 * Buys one query over x402: requests the terms, checks them, signs one transfer of USDC and sends it until
 * the data arrive. One call signs at most once: if the outcome is unknown, it sends the same payment again,
 * never another one.
 *
 *     const { content } = await payAndQuery(client, listingId, { city: 'Brest' }, account, { maxPriceCents: 5 });
 *
 * @throws TooExpensiveError, UnacceptableTermsError: nothing was signed.
 * @throws PaymentRefusedError: there are no data for this payment; `charged` says whether it was charged.
 * @throws PaymentUnresolvedError: it may be paid. Give its `payment` to `resumePayment`.
 * @throws WrongAnswerError: it was paid, and the answer is not valid.
 * @throws MarketplaceError, ProvenanceError from before there was a payment.
 */
export async function payAndQuery(
  client: QueryClient,
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
  const offer = await requestTerms(client, listingId, query, signal);
  if (offer.kind === 'free') return checkAnswer(offer.answer, listingId, null, keysIfAvailable(keys));

  const path = withQuery(`/x402/listings/${encodeURIComponent(listingId)}/query`, query);
  const terms = readTerms(offer.body, offer.header, { path, payer: account.address });
  if (terms.amountCents > maxPriceCents)
    throw new TooExpensiveError(terms.amountCents, maxPriceCents, 'price');
  const nonce = newNonce();
  limit?.reserve(nonce, terms.amountCents);
  let payment: PendingPayment;
  try {
    // Without the key, the receipt could not be checked: do not pay.
    await keys.keysFor(keyIdOf(offer.body));
    payment = await signPayment(account, terms, { listingId, query, nonce }, now());
    await onSigned?.(payment);
    signal?.throwIfAborted();
  } catch (error) {
    limit?.release(nonce);
    throw error;
  }
  return sendAndCheck(client, payment, { ...options, keys });
}

/**
 * Sends a payment again whose outcome is unknown, for example after a crash. It is charged once, however
 * often it is sent, and fetches the data for a day after the sale.
 *
 * @throws the same errors as `payAndQuery` after signing.
 */
export async function resumePayment(
  client: QueryClient,
  payment: PendingPayment,
  options: ResumeOptions = {},
): Promise<PaidAnswer> {
  options.limit?.add(payment.nonce, payment.amountCents);
  return sendAndCheck(client, payment, { ...options, keys: options.keys ?? keysOf(client) });
}

async function sendAndCheck(
  client: QueryClient,
  payment: PendingPayment,
  options: ResumeOptions & { readonly keys: KeySource },
): Promise<PaidAnswer> {
  const { limit, keys, waitMs = WAIT_MS, signal, sleep = defaultSleep, now = Date.now } = options;
  try {
    const answer = await sendPayment(client, payment, { waitMs, signal, sleep, now });
    return await checkAnswer(answer, payment.listingId, payment, keysIfAvailable(keys));
  } catch (error) {
    if (error instanceof PaymentRefusedError && error.charged === false) limit?.release(payment.nonce);
    throw error;
  }
}

type Offer =
  | { readonly kind: 'free'; readonly answer: QueriedPurchase }
  | { readonly kind: 'priced'; readonly body: JsonObject; readonly header: string | null };

async function requestTerms(
  client: QueryClient,
  listingId: string,
  query: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
): Promise<Offer> {
  const input = { listingId, parameters: query as Record<string, string> };
  try {
    return { kind: 'free', answer: await client.queryListing(input, signal ? { signal } : {}) };
  } catch (error) {
    const isTerms = error instanceof MarketplaceError && error.status === 402 && 'accepts' in error.problem;
    if (!isTerms) throw error;
    return { kind: 'priced', body: error.problem, header: error.headers.get('payment-required') };
  }
}

function keysOf(client: QueryClient): KeySource {
  let known: KeySet | null = null;
  return {
    async keysFor(keyId) {
      if (!known?.get(keyId)) known = keySetOf(await client.getSigningKey());
      return known;
    },
  };
}

/** An empty key set if the keys are not available: paid data must not be lost because they cannot be checked now. */
function keysIfAvailable(keys: KeySource): (keyId: string) => Promise<KeySet> {
  return (keyId) => keys.keysFor(keyId).catch(() => ({ keys: [], get: () => undefined }));
}

function keyIdOf({ provenance }: JsonObject): string {
  const { receipt } = (provenance ?? {}) as { receipt?: { keyId?: unknown } };
  return String(receipt?.keyId);
}
