import { CardProcessorError, type CardReference, type Payment } from '../kernel/ports/card-processor.ts';

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
const RESERVATION_MS = 7 * DAY_MS;
const SETTLEMENT_MS = 2 * DAY_MS;

/** What a dispute costs, however it ends. */
const DISPUTE_FEE_CENTS = 1500;

/** Stripe's, in US dollars. */
export const CHARGE_LIMITS = { minCents: 50, maxCents: 99_999_999 };

type FakePayment = { -readonly [K in keyof Payment]: Payment[K] } & {
  readonly chargeId: string;
  readonly reservedAtMs: number;
  readonly availableAtOnce: boolean;
  readonly isDisputedAtOnce: boolean;
};

export function refused(what: string): CardProcessorError {
  return new CardProcessorError(`card processor: refused: ${what}`, false);
}

/** Payments and the platform's balance, as the card processor keeps them. */
export class FakeCardBooks {
  readonly #payments = new Map<string, FakePayment>();
  readonly #sentOn = new Map<string, number>();
  readonly #entries: { source: string; netCents: number; availableAtMs: number }[] = [];
  readonly #newId: (prefix: string) => string;
  keptCents = 0;

  constructor(newId: (prefix: string) => string) {
    this.#newId = newId;
  }

  charge(
    charge: {
      amountCents: number;
      capture: 'manual' | 'automatic';
      reference: CardReference;
    },
    card: TestCardKind,
    nowMs: number,
  ): FakePayment {
    const payment: FakePayment = {
      paymentId: this.#newId('pi'),
      status: 'authorized',
      amountCents: charge.amountCents,
      capturedCents: 0,
      refundedCents: 0,
      chargeId: this.#newId('ch'),
      reference: charge.reference,
      reservedAtMs: nowMs,
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
    if (payment.status === 'authorized' && payment.reservedAtMs + RESERVATION_MS <= nowMs)
      payment.status = 'canceled';
    return payment;
  }

  see(paymentId: string, nowMs: number): Payment {
    const { reservedAtMs, availableAtOnce, isDisputedAtOnce, ...payment } = this.payment(paymentId, nowMs);
    return payment;
  }

  seeAll(nowMs: number): Payment[] {
    return [...this.#payments.keys()].map((paymentId) => this.see(paymentId, nowMs));
  }

  capture(payment: FakePayment, nowMs: number): void {
    payment.status = 'captured';
    payment.capturedCents = payment.amountCents;
    const feeCents = Math.round((payment.amountCents * 29) / 1000) + 30;
    this.keptCents += feeCents;
    const availableAtMs = nowMs + (payment.availableAtOnce ? 0 : SETTLEMENT_MS);
    this.#enter(payment.chargeId, payment.amountCents - feeCents, availableAtMs);
  }

  refund(paymentId: string, amountCents: number, nowMs: number): string {
    const payment = this.payment(paymentId, nowMs);
    if (amountCents < 1 || amountCents > payment.capturedCents - payment.refundedCents)
      throw refused('refund of more than was taken');
    const refundId = this.#newId('re');
    payment.refundedCents += amountCents;
    this.#enter(refundId, -amountCents, this.#availableAt(payment.chargeId, nowMs));
    return refundId;
  }

  /** A cardholder's bank takes money back, whatever the platform's balance. */
  withdraw(source: string, amountCents: number, nowMs: number): void {
    this.keptCents += DISPUTE_FEE_CENTS;
    this.#enter(source, -amountCents - DISPUTE_FEE_CENTS, nowMs);
  }

  reinstate(source: string, amountCents: number, nowMs: number): void {
    this.#enter(`${source}:won`, amountCents, nowMs);
  }

  /** Null where the balance does not suffice. */
  transfer(amountCents: number, sourceChargeId: string | null, nowMs: number): string | null {
    if (sourceChargeId === null && this.balance(nowMs).availableCents < amountCents) return null;
    if (sourceChargeId !== null) this.#takeFrom(sourceChargeId, amountCents);
    const transferId = this.#newId('tr');
    this.#enter(transferId, -amountCents, this.#availableAt(sourceChargeId, nowMs));
    return transferId;
  }

  balance(nowMs: number): { availableCents: number; pendingCents: number } {
    const balance = { availableCents: 0, pendingCents: 0 };
    for (const { netCents, availableAtMs } of this.#entries)
      balance[availableAtMs <= nowMs ? 'availableCents' : 'pendingCents'] += netCents;
    return balance;
  }

  #takeFrom(chargeId: string, amountCents: number): void {
    const payment = [...this.#payments.values()].find((one) => one.chargeId === chargeId);
    const sent = (this.#sentOn.get(chargeId) ?? 0) + amountCents;
    if (!payment || sent > payment.capturedCents - payment.refundedCents)
      throw refused('transfer of more than its charge');
    this.#sentOn.set(chargeId, sent);
  }

  #availableAt(chargeId: string | null, nowMs: number): number {
    const source = this.#entries.find((entry) => entry.source === chargeId);
    return Math.max(source?.availableAtMs ?? 0, nowMs);
  }

  #enter(source: string, netCents: number, availableAtMs: number): void {
    this.#entries.push({ source, netCents, availableAtMs });
  }
}
