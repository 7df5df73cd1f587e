import { withQuery } from '../client/build-request.ts';
import type { MarketplaceClient } from '../client/client.ts';
import type { KeySource } from '../key-source.ts';
import { checkAnswer, type PaidAnswer } from './paid-answer.ts';
import type { PayingAccount } from './paying-account.ts';
import { keysIfAvailable, keysOf } from './payment-keys.ts';
import type { PendingPayment } from './pending-payment.ts';
import { type ResumeOptions, sendPayment } from './send-payment.ts';
import { requestTerms, type SignOptions, signOffer } from './sign-offer.ts';

export interface PayAndQueryOptions extends SignOptions {
  /** The highest price of this query. It has no default: it is your money. */
  readonly maxPriceCents: number;
}

type QueryClient = Pick<MarketplaceClient, 'queryListing' | 'getSigningKey'>;

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
  const { maxPriceCents, signal } = options;
  if (!Number.isSafeInteger(maxPriceCents) || maxPriceCents < 0) {
    throw new TypeError('maxPriceCents must be a whole number of cents.');
  }
  const keys = options.keys ?? keysOf(client);
  const input = { listingId, parameters: query as Record<string, string> };
  const offer = await requestTerms(() => client.queryListing(input, signal ? { signal } : {}));
  if (offer.kind === 'free') return checkAnswer(offer.answer, listingId, null, keysIfAvailable(keys));

  const path = withQuery(`/x402/listings/${encodeURIComponent(listingId)}/query`, query);
  const payment = await signOffer(account, offer, { path, listingId, query }, { ...options, keys });
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
  const { listingId, query } = payment;
  const input = { listingId, parameters: query as Record<string, string> };
  const answer = await sendPayment((call) => client.queryListing(input, call), payment, options);
  return checkAnswer(answer, listingId, payment, keysIfAvailable(options.keys));
}
