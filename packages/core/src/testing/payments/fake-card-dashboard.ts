import type { Refund } from '../../kernel/ports/card-processor.ts';
import { type FakeCardBooks, refused } from './fake-card-books.ts';
import type { FakeCardDisputes } from './fake-card-disputes.ts';
import type { FakeCardLine } from './fake-card-line.ts';
import type { FakeCardPayouts } from './fake-card-payouts.ts';

/** What happens at the fake without the marketplace: finance at work in the dashboard, banks that answer late. */
export class FakeCardDashboard {
  readonly #line: FakeCardLine;
  readonly #books: FakeCardBooks;
  readonly #payouts: FakeCardPayouts;
  readonly #disputes: FakeCardDisputes;
  readonly #now: () => number;

  constructor(
    line: FakeCardLine,
    books: FakeCardBooks,
    payouts: FakeCardPayouts,
    disputes: FakeCardDisputes,
    now: () => number,
  ) {
    this.#line = line;
    this.#books = books;
    this.#payouts = payouts;
    this.#disputes = disputes;
    this.#now = now;
  }

  /** How refunds begin from now on, whoever makes them. */
  setRefundStatus(status: Refund['status']): void {
    this.#books.refundStatus = status;
  }

  /** Returns the refund's id. */
  refund(paymentId: string, amountCents: number): string {
    if (this.#disputes.isChargedBack(paymentId)) throw refused('refund of a disputed payment');
    const { refundId } = this.#books.refund(paymentId, amountCents, this.#now());
    this.#tell(paymentId);
    return refundId;
  }

  /** The bank of the card says how a refund ends, or that it failed after all. */
  endRefund(refundId: string, status: 'succeeded' | 'failed'): void {
    this.#tell(this.#books.endRefund(refundId, status, this.#now()));
  }

  /** All that were made, the first one first. */
  refundsOf(paymentId: string): readonly string[] {
    return this.#books.refundsOf(paymentId).map(({ refundId }) => refundId);
  }

  /** All that is reserved, or a part of it: the rest is let go. */
  capture(paymentId: string, amountCents?: number): void {
    const payment = this.#books.payment(paymentId, this.#now());
    if (payment.status !== 'authorized') throw refused('capture of what is not reserved');
    this.#books.capture(payment, this.#now(), amountCents);
    this.#tell(paymentId);
  }

  cancel(paymentId: string): void {
    const payment = this.#books.payment(paymentId, this.#now());
    if (payment.status !== 'authorized') throw refused('cancel of what is not reserved');
    payment.status = 'canceled';
    this.#tell(paymentId);
  }

  /** The account can be paid no more: a capability is lost, or it is rejected. */
  restrictAccount(accountId: string): void {
    this.#payouts.restrict(accountId);
  }

  /** Its owner closed it, or took it from the platform: nobody can fill it in any more. */
  closeAccount(accountId: string): void {
    this.#payouts.close(accountId);
  }

  /** The bank of a seller refused what the processor sent there. */
  failPayout(accountId: string): void {
    this.#payouts.failPayout(accountId);
  }

  /** What comes to a seller's account from now on is not sent to its bank. */
  keepBalance(accountId: string, paidInCents = 0): void {
    this.#payouts.keepBalance(accountId, paidInCents);
  }

  /** How much of it a dollar buys from now on. */
  setExchangeRate(currency: string, perDollar: number): void {
    this.#payouts.setExchangeRate(currency, perDollar);
  }

  /** Whether anything is sent to accounts of this country, which stay as they are. */
  setCountryOpen(country: string, isOpen: boolean): void {
    this.#payouts.setCountryOpen(country, isOpen);
  }

  /** Takes back a part of what was sent to a seller. */
  reverseTransfer(transferId: string, amountCents: number): void {
    this.#payouts.reverse(transferId, amountCents, this.#now());
  }

  /** From the balance to the platform's bank. */
  payOut(amountCents: number): void {
    const objectId = this.#line.newId('po');
    this.#enter({ kind: 'payout', type: 'payout', objectId, amountCents: -amountCents });
  }

  /** From the platform's bank to the balance. */
  fund(amountCents: number): void {
    this.#enter({ kind: 'funding', type: 'topup', objectId: this.#line.newId('tu'), amountCents });
  }

  /** What the processor charges for a month, say. */
  chargeFee(amountCents: number): void {
    this.#enter({ kind: 'fee', type: 'stripe_fee', objectId: null, amountCents: -amountCents });
  }

  /** A movement of a type that nobody knows; `ageMs`: it shows so long after it happened. */
  adjust(amountCents: number, ageMs = 0): void {
    const entry = { kind: 'other', type: 'contribution', objectId: null, amountCents } as const;
    this.#books.enter({ ...entry, nowMs: this.#now() - ageMs });
  }

  #enter(entry: Omit<Parameters<FakeCardBooks['enter']>[0], 'nowMs'>): void {
    this.#books.enter({ ...entry, nowMs: this.#now() });
  }

  appealDispute(disputeId: string): void {
    this.#disputes.appeal(disputeId);
  }

  #tell(paymentId: string): void {
    this.#line.tell({ kind: 'payment', paymentId });
  }
}
