import type { CardDispute } from '../../kernel/ports/card-processor.ts';
import { type FakeCardBooks, refused } from './fake-card-books.ts';
import type { FakeCardLine } from './fake-card-line.ts';

type FakeDispute = { -readonly [K in keyof CardDispute]: CardDispute[K] } & { readonly paymentId: string };

/** Cardholders who dispute what they paid, and what their banks say to it. */
export class FakeCardDisputes {
  readonly #disputes = new Map<string, FakeDispute>();
  readonly #line: FakeCardLine;
  readonly #books: FakeCardBooks;

  constructor(line: FakeCardLine, books: FakeCardBooks) {
    this.#line = line;
    this.#books = books;
  }

  /**
   * All of what was taken and not refunded, where no amount is given. A given one may differ by what currencies drifted
   * since. `inquiry`: the bank only asks.
   */
  open(paymentId: string, nowMs: number, { amountCents, inquiry = false }: DisputeOptions = {}): string {
    const payment = this.#books.payment(paymentId, nowMs);
    const left = payment.capturedCents - payment.refundedCents;
    const disputed = amountCents ?? left;
    if (left < 1 || disputed < 1 || disputed > left * 1.1) throw refused('dispute of more than was taken');
    const disputeId = this.#line.newId('du');
    payment.disputeIds.push(disputeId);
    this.#disputes.set(disputeId, {
      disputeId,
      paymentId,
      amountCents: disputed,
      status: 'open',
      withdrawnCents: 0,
      reference: payment.reference,
    });
    this.#tell(disputeId);
    if (!inquiry) this.escalate(disputeId, nowMs);
    return disputeId;
  }

  /** The bank takes the money. */
  escalate(disputeId: string, nowMs: number): void {
    const dispute = this.#dispute(disputeId);
    dispute.withdrawnCents = dispute.amountCents;
    this.#books.enterDispute(disputeId, dispute.paymentId, -dispute.amountCents, nowMs);
    this.#tell(disputeId);
  }

  /** What the bank decides, or decides anew after an appeal. */
  close(disputeId: string, outcome: 'won' | 'lost', nowMs: number): void {
    const dispute = this.#dispute(disputeId);
    if (dispute.status === 'won' && outcome === 'lost') this.escalate(disputeId, nowMs);
    dispute.status = outcome;
    this.#tell(disputeId);
    if (outcome === 'lost' || dispute.withdrawnCents === 0) return;
    this.#books.enterDispute(disputeId, dispute.paymentId, dispute.withdrawnCents, nowMs);
    dispute.withdrawnCents = 0;
    this.#tell(disputeId);
  }

  /** The platform appeals: what was decided is open again. */
  appeal(disputeId: string): void {
    this.#dispute(disputeId).status = 'open';
    this.#tell(disputeId);
  }

  see(disputeId: string): CardDispute {
    return { ...this.#dispute(disputeId) };
  }

  /** What a bank has taken cannot be refunded. */
  isChargedBack(paymentId: string): boolean {
    return [...this.#disputes.values()].some(
      (one) => one.paymentId === paymentId && (one.status === 'lost' || one.withdrawnCents > 0),
    );
  }

  get all(): CardDispute[] {
    return [...this.#disputes.keys()].map((disputeId) => this.see(disputeId));
  }

  #dispute(disputeId: string): FakeDispute {
    const dispute = this.#disputes.get(disputeId);
    if (!dispute) throw refused(`no dispute ${disputeId}`);
    return dispute;
  }

  #tell(disputeId: string): void {
    this.#line.tell({ kind: 'dispute', disputeId });
  }
}

export interface DisputeOptions {
  readonly amountCents?: number;
  readonly inquiry?: boolean;
}
