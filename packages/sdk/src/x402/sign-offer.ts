import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { MarketplaceError } from '../client/errors.ts';
import type { KeySource } from '../key-source.ts';
import { TooExpensiveError } from './errors.ts';
import type { PayingAccount } from './paying-account.ts';
import type { PendingPayment } from './pending-payment.ts';
import type { ResumeOptions } from './send-payment.ts';
import { newNonce, signPayment } from './sign-payment.ts';
import { readTerms } from './terms.ts';

export interface SignOptions extends ResumeOptions {
  /** Called before the payment is sent: store it, to send it again after a crash. If it throws, nothing is sent. */
  readonly onSigned?: (payment: PendingPayment) => void | Promise<void>;
}

type Offer<Answer> =
  | { readonly kind: 'free'; readonly answer: Answer }
  | { readonly kind: 'priced'; readonly body: JsonObject; readonly header: string | null };

/** What a request without a payment is answered: its terms, or the answer itself. */
export async function requestTerms<Answer>(ask: () => Promise<Answer>): Promise<Offer<Answer>> {
  try {
    return { kind: 'free', answer: await ask() };
  } catch (error) {
    const isTerms = error instanceof MarketplaceError && error.status === 402 && 'accepts' in error.problem;
    if (!isTerms) throw error;
    return { kind: 'priced', body: error.problem, header: error.headers.get('payment-required') };
  }
}

interface Purchase extends Pick<PendingPayment, 'listingId' | 'query'> {
  /** What the terms must be for. */
  readonly path: string;
}

interface OfferOptions extends SignOptions {
  readonly maxPriceCents: number;
  readonly keys: KeySource;
}

/**
 * Signs one transfer for terms that are acceptable, within the limits.
 *
 * @throws TooExpensiveError, UnacceptableTermsError: nothing was signed.
 */
export async function signOffer(
  account: PayingAccount,
  { body, header }: { readonly body: JsonObject; readonly header: string | null },
  { path, listingId, query }: Purchase,
  { maxPriceCents, keys, limit, onSigned, signal, now = Date.now }: OfferOptions,
): Promise<PendingPayment> {
  const terms = readTerms(body, header, { path, payer: account.address });
  if (terms.amountCents > maxPriceCents)
    throw new TooExpensiveError(terms.amountCents, maxPriceCents, 'price');
  const nonce = newNonce();
  limit?.reserve(nonce, terms.amountCents);
  try {
    // Without the key, the receipt could not be checked: do not pay.
    await keys.keysFor(keyIdOf(body));
    const payment = await signPayment(account, terms, { listingId, query, nonce }, now());
    await onSigned?.(payment);
    signal?.throwIfAborted();
    return payment;
  } catch (error) {
    limit?.release(nonce);
    throw error;
  }
}

function keyIdOf({ provenance }: JsonObject): string {
  const { receipt } = (provenance ?? {}) as { receipt?: { keyId?: unknown } };
  return String(receipt?.keyId);
}
