import {
  type BalanceEntry,
  type BalanceEntryPage,
  CardProcessorError,
  type CardReference,
  type Payment,
  type Refund,
} from '../../kernel/ports/card-processor.ts';

/** Test cards by what they do; `docs/cards.md` has Stripe's numbers for them. */
export type TestCardKind =
  | 'good'
  /** Its money is available at once, where that of others is on its way for two days. */
  | 'available_at_once'
  | 'declined'
  | 'declined_when_charged'
  /** Its bank asks its holder every time, so that it cannot be charged without one. */
  | 'asks_holder'
  /** Its holder disputes the charge as soon as it is made. */
  | 'disputed';

const DAY_MS = 24 * 3600 * 1000;
/** How long a bank keeps money reserved: less where the holder of a Visa card is not there. */
export const RESERVATION_MS = { present: 7 * DAY_MS, offSession: 4 * DAY_MS + 18 * 3600 * 1000 };
const SETTLEMENT_MS = 2 * DAY_MS;

/** What a dispute costs, however it ends. */
const DISPUTE_FEE_CENTS = 1500;

/** Stripe's, in US dollars. */
export const CHARGE_LIMITS = { minCents: 50, maxCents: 99_999_999 };

type FakePayment = { -readonly [K in keyof Payment]: Payment[K] } & {
  readonly disputeIds: string[];
  readonly chargeId: string;
  readonly captureBeforeMs: number;
  readonly availableAtOnce: boolean;
  readonly isDisputedAtOnce: boolean;
};

interface FakeRefund {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amountCents: number;
  status: Refund['status'];
}

/** What moves the balance, as whoever moves it says it. */
type NewEntry = Pick<BalanceEntry, 'kind' | 'type' | 'objectId' | 'amountCents'> &
  Partial<Pick<BalanceEntry, 'paymentId' | 'transferId' | 'feeCents'>> & {
    readonly nowMs: number;
    /** At once, where it is not given. */
    readonly availableAtMs?: number;
  };

const PAGE = 3;

export function refused(what: string): CardProcessorError {
  return new CardProcessorError(`card processor: refused: ${what}`, false);
}

/** Payments and the platform's balance, as the card processor keeps them. */
export class FakeCardBooks {
  readonly #payments = new Map<string, FakePayment>();
  readonly #refunds: FakeRefund[] = [];
  readonly #sentOn = new Map<string, number>();
  readonly #entries: (BalanceEntry & { readonly availableAtMs: number })[] = [];
  readonly #newId: (prefix: string) => string;
  keptCents = 0;
  /** Of the card that pays from now on; null: another each time. */
  nextFingerprint: string | null = null;
  /** As banks differ, and cards. */
  reservationMs: Record<keyof typeof RESERVATION_MS, number> = { ...RESERVATION_MS };
  /** How refunds begin. */
  refundStatus: Refund['status'] = 'succeeded';

  constructor(newId: (prefix: string) => string) {
    this.#newId = newId;
  }

  get entries(): readonly BalanceEntry[] {
    return this.#entries;
  }

  charge(
    charge: {
      amountCents: number;
      capture: 'manual' | 'automatic';
      reference: CardReference;
    },
    card: TestCardKind,
    nowMs: number,
    holder: keyof typeof RESERVATION_MS = 'present',
  ): FakePayment {
    const payment: FakePayment = {
      paymentId: this.#newId('pi'),
      status: 'authorized',
      amountCents: charge.amountCents,
      capturedCents: 0,
      refundedCents: 0,
      pendingRefundCents: 0,
      disputeIds: [],
      chargeId: this.#newId('ch'),
      reference: charge.reference,
      captureBeforeMs: nowMs + this.reservationMs[holder],
      cardFingerprint: this.nextFingerprint ?? this.#newId('fp'),
      availableAtOnce: card === 'available_at_once',
      isDisputedAtOnce: card === 'disputed',
    };
    this.#payments.set(payment.paymentId, payment);
    if (charge.capture === 'automatic') this.capture(payment, nowMs);
    return payment;
  }

  payment(paymentId: string, nowMs: number): FakePayment {
    const payment = this.#payments.get(paymentId);
    if (!payment) throw refused(`no payment ${paymentId}`);
    if (payment.status === 'authorized' && payment.captureBeforeMs <= nowMs) payment.status = 'canceled';
    return payment;
  }

  see(paymentId: string, nowMs: number): Payment {
    const { availableAtOnce, isDisputedAtOnce, ...payment } = this.payment(paymentId, nowMs);
    return { ...payment, disputeIds: [...payment.disputeIds] };
  }

  seeAll(nowMs: number): Payment[] {
    return [...this.#payments.keys()].map((paymentId) => this.see(paymentId, nowMs));
  }

  capture(payment: FakePayment, nowMs: number, amountCents = payment.amountCents): void {
    payment.status = 'captured';
    payment.capturedCents = amountCents;
    const feeCents = Math.round((amountCents * 29) / 1000) + 30;
    this.keptCents += feeCents;
    const availableAtMs = nowMs + (payment.availableAtOnce ? 0 : SETTLEMENT_MS);
    this.enter({
      kind: 'payment',
      type: 'charge',
      objectId: payment.chargeId,
      paymentId: payment.paymentId,
      amountCents,
      feeCents,
      nowMs,
      availableAtMs,
    });
  }

  /** As much that was refunded already is the answer to who asks for it. */
  refund(paymentId: string, amountCents: number, nowMs: number): Refund {
    const payment = this.payment(paymentId, nowMs);
    const made = this.#refunds.filter((one) => one.paymentId === paymentId && one.status !== 'failed');
    const refundedCents = made.reduce((sum, one) => sum + one.amountCents, 0);
    const last = made.at(-1);
    if (last && amountCents === refundedCents && refundedCents === payment.capturedCents) return last;
    if (amountCents < 1 || amountCents > payment.capturedCents - refundedCents)
      throw refused('refund of more than was taken');
    const refund: FakeRefund = {
      refundId: this.#newId('re'),
      paymentId,
      amountCents,
      status: this.refundStatus === 'failed' ? 'pending' : this.refundStatus,
    };
    this.#refunds.push(refund);
    const availableAtMs = this.#availableAt(payment.chargeId, nowMs);
    this.#enterRefund(refund, 'refund', { nowMs, availableAtMs });
    if (this.refundStatus === 'failed') this.endRefund(refund.refundId, 'failed', nowMs);
    this.#countRefunds(payment);
    return refund;
  }

  /** The bank of the card says how it ended, days later perhaps. A failed one is on the balance again. */
  endRefund(refundId: string, status: 'succeeded' | 'failed', nowMs: number): string {
    const refund = this.seeRefund(refundId);
    if (status === 'failed' && refund.status !== 'failed')
      this.#enterRefund(refund, 'refund_failure', { nowMs });
    refund.status = status;
    this.#countRefunds(this.payment(refund.paymentId, nowMs));
    return refund.paymentId;
  }

  seeRefund(refundId: string): FakeRefund {
    const refund = this.#refunds.find((one) => one.refundId === refundId);
    if (!refund) throw refused(`no refund ${refundId}`);
    return refund;
  }

  refundsOf(paymentId: string): readonly Readonly<FakeRefund>[] {
    return this.#refunds.filter((one) => one.paymentId === paymentId);
  }

  #enterRefund(
    { refundId, paymentId, amountCents }: FakeRefund,
    type: 'refund' | 'refund_failure',
    at: Pick<NewEntry, 'nowMs' | 'availableAtMs'>,
  ): void {
    const moved = type === 'refund' ? -amountCents : amountCents;
    this.enter({ kind: 'refund', type, objectId: refundId, paymentId, amountCents: moved, ...at });
  }

  #countRefunds(payment: FakePayment): void {
    const sumOf = (wanted: Refund['status']) =>
      this.#refunds
        .filter(({ paymentId, status }) => paymentId === payment.paymentId && status === wanted)
        .reduce((sum, { amountCents }) => sum + amountCents, 0);
    payment.refundedCents = sumOf('succeeded');
    payment.pendingRefundCents = sumOf('pending');
  }

  /** A cardholder's bank takes money back, whatever the platform's balance, or gives it back (positive). */
  enterDispute(objectId: string, paymentId: string, amountCents: number, nowMs: number): void {
    const feeCents = amountCents < 0 ? DISPUTE_FEE_CENTS : 0;
    this.keptCents += feeCents;
    this.enter({ kind: 'dispute', type: 'adjustment', objectId, paymentId, amountCents, feeCents, nowMs });
  }

  /** Null where the balance does not suffice. */
  transfer(amountCents: number, sourceChargeId: string | null, nowMs: number): string | null {
    if (sourceChargeId === null && this.balance(nowMs).availableCents < amountCents) return null;
    if (sourceChargeId !== null) this.#takeFrom(sourceChargeId, amountCents);
    const transferId = this.#newId('tr');
    this.enter({
      kind: 'transfer',
      type: 'transfer',
      objectId: transferId,
      transferId,
      amountCents: -amountCents,
      nowMs,
      availableAtMs: this.#availableAt(sourceChargeId, nowMs),
    });
    return transferId;
  }

  balance(nowMs: number): { availableCents: number; pendingCents: number } {
    const balance = { availableCents: 0, pendingCents: 0 };
    for (const { amountCents, feeCents, availableAtMs } of this.#entries)
      balance[availableAtMs <= nowMs ? 'availableCents' : 'pendingCents'] += amountCents - feeCents;
    return balance;
  }

  /** Newest first, in small pages. */
  entriesSince(sinceMs: number, after: string | null): BalanceEntryPage {
    const newestFirst = this.#entries
      .toReversed()
      .toSorted((a, b) => b.createdAtMs - a.createdAtMs)
      .filter(({ createdAtMs }) => createdAtMs >= Math.floor(sinceMs / 1000) * 1000);
    const start = newestFirst.findIndex(({ entryId }) => entryId === after) + 1;
    const entries = newestFirst.slice(start, start + PAGE).map(({ availableAtMs, ...entry }) => entry);
    const isLast = start + PAGE >= newestFirst.length;
    return { entries, next: isLast ? null : (entries.at(-1)?.entryId ?? null) };
  }

  /** `nowMs` may be past: some movements show late. */
  enter({ nowMs, availableAtMs = nowMs, ...entry }: NewEntry): void {
    this.#entries.push({
      paymentId: null,
      transferId: null,
      feeCents: 0,
      ...entry,
      entryId: `txn_fake${this.#entries.length + 1}`,
      currency: 'usd',
      createdAtMs: Math.floor(nowMs / 1000) * 1000,
      availableAtMs,
    });
  }

  #takeFrom(chargeId: string, amountCents: number): void {
    const payment = [...this.#payments.values()].find((one) => one.chargeId === chargeId);
    const sent = (this.#sentOn.get(chargeId) ?? 0) + amountCents;
    const leftCents = payment
      ? payment.capturedCents - payment.refundedCents - payment.pendingRefundCents
      : 0;
    if (sent > leftCents) throw refused('transfer of more than its charge');
    this.#sentOn.set(chargeId, sent);
  }

  #availableAt(chargeId: string | null, nowMs: number): number {
    const source = this.#entries.find((entry) => entry.objectId === chargeId);
    return Math.max(source?.availableAtMs ?? 0, nowMs);
  }
}
