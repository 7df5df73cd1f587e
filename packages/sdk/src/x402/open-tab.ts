import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { MarketplaceClient, SignedAnswer } from '../client/client.ts';
import { MarketplaceError, ProvenanceError } from '../client/errors.ts';
import { sleep as defaultSleep } from '../client/retry.ts';
import type { Operations } from '../generated/api.ts';
import type { KeySource } from '../key-source.ts';
import { verifyStatement } from '../verify/index.ts';
import { digestOf } from '../verify/verification.ts';
import { TooExpensiveError, UnacceptableTermsError, WrongAnswerError } from './errors.ts';
import type { PayingAccount } from './paying-account.ts';
import { keysIfAvailable, keysOf } from './payment-keys.ts';
import type { PendingPayment } from './pending-payment.ts';
import { type ResumeOptions, sendPayment } from './send-payment.ts';
import { requestTerms, type SignOptions, signOffer } from './sign-offer.ts';
import { signClosing, signVoucher, type TabAccount } from './sign-voucher.ts';

type TabClient = Pick<
  MarketplaceClient,
  'openTab' | 'getTab' | 'queryTab' | 'closeTab' | 'getListing' | 'getSigningKey'
>;
type TabState = Operations['openTab']['output'];
type TabOutput = SignedAnswer<Operations['queryTab']['output']>;

/** An account that pays for a tab and signs its vouchers, such as the accounts of viem. */
export type TabPayer = PayingAccount & TabAccount;

/** One answered query of a tab. */
export interface TabAnswer {
  readonly content: TabOutput['content'];
  readonly priceMicros: number;
  /** What its seller used, of a listing that is priced by units; null: it has one price. */
  readonly units: number | null;
  /** Signed by the marketplace: what was answered to which query, for how much. */
  readonly receipt: TabOutput['receipt'];
}

const UNITS_PER_CENT = 10_000;
const WAIT_MS = 120_000;
const RETRY_MS = 1000;
/** Each doubles the one before: one voucher has its seller asked ten times more at most. */
const MAX_RETRY_MS = 32_000;

/**
 * Opens a prepaid tab: one payment in USDC of exactly `amountCents`, for many queries of one listing. One call signs at
 * most one payment; while its outcome is unknown, the same one is sent again.
 *
 *     const tab = await openTab(client, { listingId, amountCents: 100 }, account);
 *     const { content } = await tab.query({ city: 'Brest' }, { maxPriceMicros: 500 });
 *     await tab.close();
 *
 * @throws the same errors as `payAndQuery`; give the payment of a PaymentUnresolvedError to `resumeTab`.
 */
export async function openTab(
  client: TabClient,
  { listingId, amountCents }: { readonly listingId: string; readonly amountCents: number },
  account: TabPayer,
  options: SignOptions = {},
): Promise<PrepaidTab> {
  const keys = options.keys ?? keysOf(client);
  const { signal } = options;
  const input = { listingId, amountCents };
  const offer = await requestTerms(() => client.openTab(input, signal ? { signal } : {}));
  if (offer.kind === 'free') throw new UnacceptableTermsError('not_understood', asJson(offer.answer));
  const order = { path: '/x402/tabs', listingId, query: {} };
  const payment = await signOffer(account, offer, order, { ...options, keys, maxPriceCents: amountCents });
  return sendForTab(client, payment, account, { ...options, keys });
}

/**
 * Sends the payment for a tab again whose outcome is unknown, for example after a crash, or to go on with an open tab.
 *
 * @throws the same errors as `openTab` after signing.
 */
export async function resumeTab(
  client: TabClient,
  payment: PendingPayment,
  account: TabPayer,
  options: ResumeOptions = {},
): Promise<PrepaidTab> {
  options.limit?.add(payment.nonce, payment.amountCents);
  return sendForTab(client, payment, account, options);
}

async function sendForTab(
  client: TabClient,
  payment: PendingPayment,
  account: TabPayer,
  options: ResumeOptions,
): Promise<PrepaidTab> {
  const { listingId, amountCents } = payment;
  const tab = await sendPayment((call) => client.openTab({ listingId, amountCents }, call), payment, options);
  if (tab.limitMicros !== amountCents * UNITS_PER_CENT)
    throw new WrongAnswerError('not_as_paid', asJson(tab), payment);
  return new PrepaidTab(client, account, payment, tab, options);
}

const NO_LIMIT =
  "tab.query(query, { maxPriceMicros }) needs what the query may cost at most, in whole micro-units: the listing's priceMicros, or its priceCents times 10000.";

/**
 * A signed voucher with its query. It is plain data: keep it as JSON until its outcome is known, and send it again with
 * `PrepaidTab.resumeQuery`.
 */
export type PendingVoucher = Parameters<TabClient['queryTab']>[0] & {
  readonly query: JsonObject;
  readonly maxPriceMicros: number;
};

/** What one query may cost, and what is done with its voucher. */
export interface TabQueryOptions {
  /** In micro-units of USDC. */
  readonly maxPriceMicros: number;
  /** Called before a new voucher is sent: store it, to send it again after a crash. If it throws, nothing is sent. */
  readonly onSigned?: (voucher: PendingVoucher) => void | Promise<void>;
}

/** A tab that was paid for: queries draw on it, one after the other, and each is charged for its receipted answer only. */
export class PrepaidTab {
  readonly tabId: string;
  /** What it was opened with: `resumeTab` goes on with it. */
  readonly payment: PendingPayment;
  readonly #client: TabClient;
  readonly #account: TabPayer;
  readonly #options: ResumeOptions;
  readonly #keys: KeySource;
  #state: TabState;
  /** Of which nobody knows whether it was answered. */
  #unresolved: PendingVoucher | null = null;
  #isStateKnown = true;
  #last: Promise<unknown> = Promise.resolve();

  /** Goes on with a tab as `client.getTab` shows it, without sending its payment again. */
  constructor(
    client: TabClient,
    account: TabPayer,
    payment: PendingPayment,
    state: TabState,
    options: ResumeOptions = {},
  ) {
    this.tabId = state.tabId;
    this.payment = payment;
    this.#client = client;
    this.#account = account;
    this.#state = state;
    this.#options = options;
    this.#keys = options.keys ?? keysOf(client);
  }

  /** The voucher that was sent last, while nobody knows whether it was answered. */
  get unresolvedVoucher(): PendingVoucher | null {
    return this.#unresolved;
  }

  /** What is not spent yet, in micro-units of USDC, as far as it is known here. */
  get remainingMicros(): number {
    const { limitMicros, chargedMicros, reservedMicros } = this.#state;
    return limitMicros - chargedMicros - reservedMicros;
  }

  /**
   * Asks one query, with a voucher for at most `maxPriceMicros` more. While the outcome is unknown the same voucher is sent
   * again: it brings one answer, and is charged once. Ask the same query after an error without a `charged`, and it is sent
   * once more.
   *
   * @throws TooExpensiveError: the listing costs more than the limit. Its seller was not asked, and nothing was charged.
   * @throws MarketplaceError: not answered, and not charged if its problem says so.
   * @throws WrongAnswerError: the answer is not what the receipt or the voucher says.
   */
  query(query: JsonObject, options: TabQueryOptions): Promise<TabAnswer> {
    // Who writes JavaScript may leave the limit out.
    const maxPriceMicros = options?.maxPriceMicros;
    if (!Number.isSafeInteger(maxPriceMicros) || maxPriceMicros < 1)
      return Promise.reject(new TypeError(NO_LIMIT));
    // Vouchers are in order: of two at once, the later one would end the other.
    return this.#inOrder(() => this.#ask(query, options));
  }

  /** Sends a voucher again that `onSigned` was given, after a crash. It brings one answer, and is charged once. */
  resumeQuery(voucher: PendingVoucher): Promise<TabAnswer> {
    return this.#inOrder(() => this.#sendAndCheck(voucher));
  }

  /** Closes the tab: what is left, where anything is, goes back to the account, less the gas of that. */
  close(): Promise<TabState> {
    return this.#inOrder(async () => {
      const { tabId } = this;
      const { chainId } = this.payment;
      const signature = await signClosing(this.#account, { chainId, tabId });
      this.#state = await this.#client.closeTab({ tabId, signature });
      return this.#state;
    });
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  async #ask(query: JsonObject, { maxPriceMicros, onSigned }: TabQueryOptions): Promise<TabAnswer> {
    const earlier = this.#unresolved;
    if (earlier !== null && (await canonicalDigest(earlier.query)) === (await canonicalDigest(query)))
      return this.#sendAndCheck(earlier);
    const voucher = await this.#sign(query, maxPriceMicros);
    await onSigned?.(voucher);
    const answer = await this.#sendAndCheck(voucher);
    this.#count(voucher, answer.priceMicros);
    return answer;
  }

  async #sendAndCheck(voucher: PendingVoucher): Promise<TabAnswer> {
    this.#unresolved = voucher;
    this.#isStateKnown = false;
    try {
      const answer = await this.#send(() => this.#client.queryTab(voucher));
      this.#unresolved = null;
      return await this.#check(answer, voucher);
    } catch (error) {
      if (!isUnknown(error)) this.#unresolved = null;
      if (error instanceof MarketplaceError && error.code === 'price_above_max')
        await this.#explainPrice(voucher.maxPriceMicros);
      throw error;
    }
  }

  async #sign(query: JsonObject, maxPriceMicros: number): Promise<PendingVoucher> {
    const { tabId } = this;
    if (!this.#isStateKnown) this.#state = await this.#client.getTab({ tabId });
    const {
      sequence: before,
      ceilingMicros: signed,
      chargedMicros,
      reservedMicros,
      limitMicros,
    } = this.#state;
    const sequence = before + 1;
    // A query that is still out may be charged before this one.
    const neededMicros = chargedMicros + reservedMicros + maxPriceMicros;
    const ceilingMicros = Math.min(limitMicros, Math.max(signed, neededMicros));
    const { chainId } = this.payment;
    const terms = { chainId, tabId, sequence, ceilingMicros, query };
    // A voucher that was not charged keeps its ceiling, which may be above this limit.
    return { tabId, maxPriceMicros, ...(await signVoucher(this.#account, terms)), query };
  }

  /** Throws with the price, where it can be read. */
  async #explainPrice(maxPriceMicros: number): Promise<void> {
    const found = await this.#client.getListing({ listingId: this.payment.listingId }).catch(() => null);
    const priceMicros = found && (found.listing.priceMicros ?? found.listing.priceCents * UNITS_PER_CENT);
    if (priceMicros !== null && priceMicros > maxPriceMicros)
      throw new TooExpensiveError(priceMicros / UNITS_PER_CENT, maxPriceMicros / UNITS_PER_CENT, 'price');
  }

  #count({ sequence, ceilingMicros }: PendingVoucher, priceMicros: number): void {
    const chargedMicros = this.#state.chargedMicros + priceMicros;
    this.#state = { ...this.#state, sequence, ceilingMicros, chargedMicros };
    this.#isStateKnown = true;
  }

  async #send(ask: () => Promise<TabOutput>): Promise<TabOutput> {
    const { waitMs = WAIT_MS, signal, sleep = defaultSleep, now = Date.now } = this.#options;
    const deadline = now() + waitMs;
    for (let retryMs = RETRY_MS; ; retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)) {
      try {
        return await ask();
      } catch (error) {
        // Where nothing arrived at all, the client has tried for a while.
        const isAnswered = error instanceof MarketplaceError || error instanceof ProvenanceError;
        if (!isAnswered || !isUnknown(error) || now() + retryMs > deadline) throw error;
        await sleep(retryMs, signal);
      }
    }
  }

  async #check(answer: TabOutput, voucher: PendingVoucher): Promise<TabAnswer> {
    const { content, priceMicros, units, receipt } = answer;
    const wrong = (reason: ConstructorParameters<typeof WrongAnswerError>[0]) =>
      new WrongAnswerError(reason, asJson(answer), this.payment);
    const keys = await keysIfAvailable(this.#keys)(receipt.keyId);
    const checked = await verifyStatement(receipt, keys, 'tab_query_receipt');
    if (!checked.valid) throw wrong(checked.reason);
    const said = receipt.statement;
    const isOfThis =
      said.tabId === this.tabId &&
      said.sequence === voucher.sequence &&
      said.listingId === this.payment.listingId &&
      said.queryDigest === (await canonicalDigest(voucher.query)) &&
      said.amountMicros === priceMicros &&
      (said.units ?? null) === units &&
      (units === null || units * (said.unitPriceMicros ?? 0) === priceMicros) &&
      priceMicros <= voucher.maxPriceMicros;
    if (!isOfThis) throw wrong('not_as_paid');
    if ((await digestOf(content)) !== said.contentDigest) throw wrong('content_mismatch');
    return { content, priceMicros, units, receipt };
  }
}

const RETRY_CODES = ['tab_query_in_progress', 'idempotency_in_flight', 'rate_limited'];

/** Whether the same voucher may still bring an answer. */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof MarketplaceError)) return true;
  const { code } = error.problem;
  // A proxy answered, not the marketplace.
  return typeof code !== 'string' || error.status === 503 || RETRY_CODES.includes(code);
}

const asJson = (answer: object) => answer as unknown as JsonObject;
