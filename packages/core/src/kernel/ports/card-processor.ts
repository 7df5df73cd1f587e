/**
 * The card processor as the marketplace needs it. Every call that changes something takes an idempotency
 * key of ours: asking again under the same key never does it twice, and gives the answer of the first time.
 * What may fail in business is a value; everything else is a `CardProcessorError`.
 */
export interface CardProcessor {
  /** What one charge may come to, a checkout's or a saved card's: anything else is refused as an error. */
  readonly chargeLimits: { readonly minCents: number; readonly maxCents: number };

  /** Makes the processor's customer for an agent, or finds the one that this key made. */
  createCustomer(
    key: string,
    customer: { agentId: string; email: string | null },
  ): Promise<{ customerId: string }>;

  /** A hosted page where a person pays once. `manual` only reserves the money until it is captured. */
  createCheckout(key: string, checkout: CheckoutRequest): Promise<CheckoutSession>;
  getCheckout(sessionId: string): Promise<CheckoutSession>;
  /** Closes an open page, so that it cannot be paid any more; of a paid or closed one nothing changes. */
  expireCheckout(key: string, sessionId: string): Promise<CheckoutSession>;

  /** A hosted page where a person saves a card once, without a charge. */
  createSetup(
    key: string,
    setup: { customerId: string; agentId: string; returnUrl: string },
  ): Promise<{ sessionId: string; url: string }>;
  /** The card that a completed setup saved; null while it is not completed. */
  getSetup(sessionId: string): Promise<{ agentId: string; card: SavedCard } | null>;

  /** Charges a saved card without its holder present. */
  chargeSaved(key: string, charge: SavedCharge): Promise<ChargeOutcome>;
  getPayment(paymentId: string): Promise<Payment>;
  /**
   * Takes reserved money. One that was captured before is answered as it is: in the processor's dashboard a part may
   * have been taken, or all refunded. `expired`: the reservation is gone, nothing was taken.
   */
  capture(key: string, paymentId: string): Promise<CaptureOutcome>;
  /** Gives reserved money back; of one that is gone already nothing changes. A captured one is an error. */
  cancel(key: string, paymentId: string): Promise<void>;
  /**
   * Gives captured money back. If as much was refunded already under another key, as in the processor's dashboard, that
   * refund is the answer. One that is `pending` may fail days later; asking again under the key tells how it stands.
   */
  refund(key: string, refund: { paymentId: string; amountCents: number }): Promise<Refund>;

  /** What a cardholder's bank took back, or wants to, as it stands. Evidence is a person's affair. */
  getDispute(disputeId: string): Promise<CardDispute>;

  /** Whether sellers in this country (ISO-3166-1 alpha-2) can be paid by the processor. */
  servesCountry(country: string): boolean;
  createAccount(
    key: string,
    account: { sellerId: string; country: string; email: string | null },
  ): Promise<{ accountId: string }>;
  /**
   * A hosted page where the person behind a seller enters what payouts need. The link is short-lived and
   * opens once, so that each visit needs a key of its own. Null: the account was closed, and only another one can be paid.
   */
  createOnboardingLink(
    key: string,
    link: { accountId: string; returnUrl: string; refreshUrl: string },
  ): Promise<{ url: string } | null>;
  getAccount(
    accountId: string,
  ): Promise<{ accountId: string; payoutsEnabled: boolean; detailsSubmitted: boolean }>;
  /**
   * Moves money to a seller. `sourceChargeId` ties it to the card charge that funds it, if one does. A
   * refusal is the answer of its key for good: the next try needs another.
   */
  transfer(key: string, transfer: TransferRequest): Promise<TransferOutcome>;
  /** Takes back a part of a transfer, or all, out of what is on the seller's account. */
  reverseTransfer(key: string, reversal: ReversalRequest): Promise<ReversalOutcome>;
  /** The transfer for a purchase that was made under a key; null: none was. */
  findTransfer(key: string, purchaseId: string): Promise<{ transferId: string } | null>;
  getTransfer(transferId: string): Promise<{ transferId: string; amountCents: number; reversed: boolean }>;

  /** What an authentic webhook is about; `unauthentic`: its signature is missing, wrong or too old. */
  readWebhook(rawBody: string, signatureHeader: string, nowMs: number): Promise<WebhookReading>;

  /** For reconciliation: what the processor holds for the platform and what is on its way. */
  getBalance(): Promise<{ availableCents: number; pendingCents: number }>;
  /**
   * What the processor reported or tried to, of what the marketplace follows, newest first, a page at a time. Events of
   * sellers' accounts are not among them.
   */
  listEvents(page: { sinceMs: number; untilMs: number; after: string | null }): Promise<CardEventPage>;
  /** What moved that balance since then, newest first, a page at a time. `after`: the last entry of the page before. */
  listBalanceEntries(page: { sinceMs: number; after: string | null }): Promise<BalanceEntryPage>;
}

/**
 * `retryable`: the outcome is not known, it may or may not have happened; repeat the call under the same
 * key. Otherwise the call was refused as it stands and nothing happened: repeating it is of no use.
 */
export class CardProcessorError extends Error {
  readonly retryable: boolean;

  constructor(message: string, retryable: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'CardProcessorError';
    this.retryable = retryable;
  }
}

export interface CheckoutRequest {
  /** What it is for: the id of a purchase or a top-up. It comes back with every event. */
  readonly reference: CardReference;
  readonly amountCents: number;
  readonly description: string;
  readonly capture: 'manual' | 'automatic';
  readonly customerId: string | null;
  readonly email: string | null;
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Between 30 minutes and 24 hours ahead. */
  readonly expiresAtMs: number;
}

export interface CardReference {
  readonly kind: 'purchase' | 'top_up' | 'setup';
  readonly id: string;
}

export interface CheckoutSession {
  readonly sessionId: string;
  /** Null once it can no longer be paid. */
  readonly url: string | null;
  readonly status: 'open' | 'complete' | 'expired';
  /** Set once somebody paid. */
  readonly paymentId: string | null;
  readonly amountCents: number;
  readonly reference: CardReference | null;
}

export interface SavedCard {
  readonly paymentMethodId: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  /** The same for one card, whoever saves it; null where the processor does not say. */
  readonly fingerprint: string | null;
}

export interface SavedCharge {
  readonly reference: CardReference;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly amountCents: number;
  readonly description: string;
  readonly capture: 'manual' | 'automatic';
}

export type ChargeOutcome =
  /** `captureBeforeMs`: as of the payment. */
  | { readonly kind: 'succeeded'; readonly paymentId: string; readonly captureBeforeMs: number | null }
  /** `code` is the processor's, from an open set. */
  | { readonly kind: 'declined'; readonly code: string }
  | { readonly kind: 'authentication_required' };

export type CaptureOutcome =
  | {
      readonly kind: 'captured';
      readonly chargeId: string;
      readonly capturedCents: number;
      /** Of one that was captured before, what was refunded since, pending refunds included. */
      readonly refundedCents: number;
      /** Of one that was captured before, whether its cardholder disputed it since, however that ends. */
      readonly isDisputed: boolean;
    }
  | { readonly kind: 'expired' };

export interface Refund {
  readonly refundId: string;
  /** `failed`: the money is at the platform again. */
  readonly status: 'pending' | 'succeeded' | 'failed';
}

export interface Payment {
  readonly paymentId: string;
  readonly status: 'requires_payment' | 'authorized' | 'captured' | 'canceled';
  readonly amountCents: number;
  readonly capturedCents: number;
  /** Without refunds that are pending or failed. */
  readonly refundedCents: number;
  /** Refunds that are still to be decided, whoever made them. */
  readonly pendingRefundCents: number;
  /** Its cardholder's disputes, ended ones included. */
  readonly disputeIds: readonly string[];
  /** Until when what is reserved can be captured; null where the processor does not say. */
  readonly captureBeforeMs: number | null;
  /** The same for one card, whoever pays with it; null where the processor does not say. */
  readonly cardFingerprint: string | null;
  readonly chargeId: string | null;
  readonly reference: CardReference | null;
}

/** A cardholder disputes a payment with its bank. */
export interface CardDispute {
  readonly disputeId: string;
  /** Null for what was not charged by a payment of ours. */
  readonly paymentId: string | null;
  /** Usually all that was paid. */
  readonly amountCents: number;
  /** `won`: the platform keeps the money. */
  readonly status: 'open' | 'won' | 'lost';
  /** What was taken out of the platform's balance for it and is not back, without the processor's own charge. */
  readonly withdrawnCents: number;
  /** Of the payment. */
  readonly reference: CardReference | null;
}

export interface TransferRequest {
  readonly accountId: string;
  readonly amountCents: number;
  readonly purchaseId: string;
  readonly sourceChargeId: string | null;
}

export type TransferOutcome =
  | { readonly kind: 'transferred'; readonly transferId: string }
  /** The account cannot be paid, or the balance does not suffice now. */
  | { readonly kind: 'refused'; readonly code: string };

export interface ReversalRequest {
  readonly transferId: string;
  readonly amountCents: number;
}

export type ReversalOutcome =
  | { readonly kind: 'reversed'; readonly reversalId: string }
  /** The account has not as much, or so much of the transfer is not left. */
  | { readonly kind: 'refused'; readonly code: string };

/** What a movement of the platform's balance is about. `other`: nothing that the marketplace knows. */
export type BalanceEntryKind =
  | 'payment'
  | 'refund'
  | 'dispute'
  | 'transfer'
  | 'transfer_reversal'
  /** From the balance to the platform's bank, or back. */
  | 'payout'
  /** From the platform's bank to the balance. */
  | 'funding'
  /** A charge of the processor that belongs to no payment. */
  | 'fee'
  | 'other';

/** One movement of the platform's balance. It never changes; what undoes it is another one. */
export interface BalanceEntry {
  readonly entryId: string;
  readonly kind: BalanceEntryKind;
  /** The processor's own word for it, from an open set. */
  readonly type: string;
  /** The payment, refund, transfer, payout … that moved it. */
  readonly objectId: string | null;
  /** The payment that it took, refunded or disputes. */
  readonly paymentId: string | null;
  /** The transfer that it made or reversed. */
  readonly transferId: string | null;
  /** Positive: the balance grew. Without the processor's own charge. */
  readonly amountCents: number;
  /** What the processor kept for it; negative: gave back. */
  readonly feeCents: number;
  /** In lower case. */
  readonly currency: string;
  readonly createdAtMs: number;
}

export interface BalanceEntryPage {
  readonly entries: readonly BalanceEntry[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

export interface CardEventPage {
  readonly events: readonly CardEvent[];
  /** Where the next page begins; null: this is the last. */
  readonly next: string | null;
}

/** `irrelevant`: sent by the processor, about nothing that the marketplace follows. */
export type WebhookReading = CardEvent | 'irrelevant' | 'unauthentic';

/**
 * A wake-up about one object. Events repeat and come out of order, so they say only which object to look
 * at, never what state it is in.
 */
export interface CardEvent {
  readonly id: string;
  readonly createdAtMs: number;
  readonly about:
    | { readonly kind: 'checkout'; readonly sessionId: string }
    | { readonly kind: 'payment'; readonly paymentId: string }
    | { readonly kind: 'dispute'; readonly disputeId: string }
    | { readonly kind: 'account'; readonly accountId: string }
    | { readonly kind: 'setup'; readonly sessionId: string }
    /** The platform's own: a transfer was reversed, or a movement to its bank failed. */
    | { readonly kind: 'balance' };
}
