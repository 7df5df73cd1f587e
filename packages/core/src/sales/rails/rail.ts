import type { ErrorDefinition, Refusal } from '../../kernel/errors.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import type { EpochMs, IsoTime } from '../../kernel/time.ts';
import type { AmountLimits } from '../../listings/index.ts';
import type { DeliveryFacts } from '../delivery/sign-receipt.ts';
import type { Sale } from '../sale.ts';
import type { Outcome } from '../sale-status.rules.ts';

/**
 * One way to pay: how money is reserved, captured and given back outside, and what is known of it there. What is true
 * of every sale (who may buy, units, receipts, escrow, the answer that is owed) is not here: `advance-sale.ts` asks a
 * rail and writes what follows. Each call may come twice, late, or from two at once, and must then change nothing.
 */
export interface Rail<Instrument = unknown> {
  /** As purchases and receipts name it. */
  readonly name: string;
  /** Whether buyers choose it by name (`payment_method`). */
  readonly isPaymentMethod: boolean;
  /**
   * `authorized`: the money is there once the reservation is written. `pending_payment`: `confirm` has to ask for it
   * first, or a person pays later.
   */
  readonly begins: 'authorized' | 'pending_payment';
  /** A person pays later, on a page: nobody waits for the delivery in the request that made the sale. */
  readonly isPaidLater: boolean;
  /** The processor holds the authorization: it is voided before a sale ends uncharged. */
  readonly isHeldOutside: boolean;
  /** The payer's bank may take the money back for weeks: what the seller is paid of it is limited. */
  readonly isRevocable: boolean;
  /**
   * Money that was captured without a delivery goes back after so long; until then the same payment brings the content.
   * 0: at once, and what could not be recorded is given back, too.
   */
  readonly undeliveredGraceMs: number;

  /** The amounts that can be paid so, inclusive; null: not in this deployment. */
  limits(ports: RailPorts): AmountLimits | null;
  /** What the buyer pays with. Throws a Refusal where there is nothing, or the amount is out of limits. */
  prepare(ports: RailPorts, buyer: Buyer): Promise<Instrument>;
  /** Whether the buyer's money is there, where that is known before it is reserved: only the reservation decides. */
  covers(ports: RailPorts, buyer: Buyer): Promise<boolean>;
  /** Tells the payer's card or account from others, whoever uses it; null: it is not known before the payment. */
  instrumentMark(instrument: Instrument): string | null;
  /** Of the ledger: where the money comes from and goes back to; null: no money moves. */
  payerAccount(buyerId: string | null): string | null;
  /** Written in one transaction with the sale. */
  reserve(ports: RailPorts, sale: Sale, instrument: Instrument): readonly Statement[];
  /**
   * What a failed reservation means here, where it means something: `overdrawn`, the money is not there and the buyer
   * may pay on another rail; or why it is refused.
   */
  explainRefused(error: unknown): 'overdrawn' | Refusal | null;
  /**
   * Asks outside for the money of a sale that was just reserved; `page` is for a person who pays later. Throws a Refusal
   * where nobody can tell.
   */
  confirm(ports: RailPorts, sale: Sale, page: PaymentPage | null): Promise<Confirmation>;
  /**
   * Takes what is reserved, for what was just delivered. Throws a Refusal where nobody can tell: then nothing may be
   * shown. Null: only the request that brings the payment can take it (`DeliveryTerms.capture`), so nobody collects later.
   */
  readonly capture: ((ports: RailPorts, sale: Sale) => Promise<Capture>) | null;
  /** Whether the sale is of one answer. Of a tab each query has its own, and the sale itself none. */
  hasAnswer(ports: RailPorts, sale: Sale): Promise<boolean>;
  /**
   * Lets go of what is reserved outside, or would be by a request that arrives later, or pays back what was captured and
   * never delivered (`captured`). Throws where nobody can tell.
   */
  cancel(ports: RailPorts, sale: Sale, captured: CapturedStanding | null): Promise<Cancellation>;
  /** Written in one transaction with the end of a sale that nobody is charged for. */
  release(ports: RailPorts, sale: Sale, at: IsoTime): readonly Statement[];
  /**
   * Written with the record of a sale that came to less than was reserved for it: the rest goes back. Null: all that is
   * reserved is taken, and what is priced by units cannot be paid so.
   */
  readonly releaseRest:
    | ((ports: RailPorts, sale: Sale, restCents: number, at: IsoTime) => readonly Statement[])
    | null;
  /** Gives back what was captured, to whoever paid. Null: a posting of the ledger does it. */
  readonly refund: ((ports: RailPorts, sale: Sale) => Promise<RefundOutcome>) | null;
  /** Whether a refund can be made in this deployment, now or by its jobs. */
  canRefund(ports: RailPorts): boolean;
  /** What the outside says of the money now. Throws where it does not answer. */
  reconcile(ports: RailPorts, sale: Sale, terms: ReconcileTerms): Promise<Standing>;
  /** The payments at the card processor that paid for it, directly or through credits: others may refund them, too. */
  processorPayments(ports: RailPorts, sale: Sale): Promise<readonly string[]>;
  /** What a transfer to the seller's account is funded by. */
  payoutSource(ports: RailPorts, sale: Sale): Promise<PayoutSource>;
  /** After a sale was recorded, off the request's path. */
  afterSale(ports: Ports, sale: Sale): Promise<void>;
}

export type RailPorts = Pick<Ports, 'market' | 'cards' | 'chain' | 'ids' | 'clock' | 'log'>;

export interface Buyer {
  readonly buyerId: string | null;
  readonly amountCents: number;
}

/** What a person is shown who pays on a page. */
export interface PaymentPage {
  readonly title: string;
  /** Where the person is sent after the payment. */
  readonly returnUrl: string;
  readonly expiresAt: EpochMs;
}

export type Confirmation =
  /** The money is reserved outside. */
  | {
      readonly kind: 'authorized';
      readonly statements: readonly Statement[];
      /** Until when it can be captured; null: whoever holds it does not say. */
      readonly captureBefore: EpochMs | null;
    }
  /** A page was opened. The sale is looked at again at `dueAt`. */
  | {
      readonly kind: 'awaiting_payment';
      readonly statements: readonly Statement[];
      readonly checkoutUrl: string | null;
      readonly dueAt: IsoTime;
    }
  | { readonly kind: 'refused'; readonly error: ErrorDefinition };

export type Capture =
  /** `statements` are written with the record of the sale; `reference` is what took it, outside. */
  | {
      readonly kind: 'captured';
      readonly reference: string | null;
      readonly statements: readonly Statement[];
    }
  /** What was reserved is gone, and nothing was taken, or others took less than the price: that goes back. */
  | { readonly kind: 'gone' }
  /** It certainly was not taken and cannot be. */
  | { readonly kind: 'refused'; readonly fault: string }
  /** Nobody knows yet; the outside will tell. */
  | {
      readonly kind: 'pending';
      readonly reference: string | null;
      readonly statements: readonly Statement[];
    };

export type Cancellation =
  | { readonly kind: 'released' }
  /** It had been captured, by a request that did not live to record it or for nothing, and was refunded. */
  | {
      readonly kind: 'refunded';
      readonly refundId: string | null;
      /** Left out: the whole price. */
      readonly capturedCents?: number;
      /** When it was paid, where that was long before it goes back. */
      readonly capturedAt?: IsoTime;
      /** The cardholder's bank had taken it back before. */
      readonly isChargedBack: boolean;
      /** Of it, others had given back so much before. */
      readonly takenCents?: number;
      /** Of it, sending it back cost its payer so much. */
      readonly gasCents?: number;
      readonly statements: readonly Statement[];
    }
  /** The refund is under way: ask again. */
  | { readonly kind: 'pending' }
  /** Nobody can pay it back here: the content is all there is to give. */
  | { readonly kind: 'not_possible' };

/** `not_here`: this deployment's jobs make it, not every Worker can. */
export type RefundOutcome =
  | { readonly kind: 'refunded'; readonly refundId: string | null }
  | { readonly kind: 'pending' }
  /** The money is still here, and asking again would not change that. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'not_here' };

export interface ReconcileTerms {
  /** The time to pay is over: what can still be paid is to be closed. */
  readonly isOverdue: boolean;
}

export interface CapturedStanding {
  readonly kind: 'captured';
  /** What was delivered before the money was taken; null: nothing was recorded. */
  readonly delivery: DeliveryFacts | null;
  /** What took it, outside. */
  readonly reference: string | null;
  readonly statements: readonly Statement[];
  /** Others took less than the price: it goes back. */
  readonly isPart?: true;
}

export type Standing =
  /** Nobody paid yet. */
  | { readonly kind: 'awaiting_payment' }
  /** The money is reserved; `statements` note what was learnt of it. */
  | {
      readonly kind: 'reserved';
      readonly statements: readonly Statement[];
      /** Until when it can be captured; null: whoever holds it does not say. */
      readonly captureBefore: EpochMs | null;
      /** What paid, the same for one card whoever uses it; left out: not known. */
      readonly instrument?: string | null;
    }
  | CapturedStanding
  /** It is being decided. */
  | { readonly kind: 'pending' }
  /** No money is reserved, and none will come; what others took of it goes back. */
  | { readonly kind: 'gone'; readonly outcome: Outcome; readonly failure: string | null };

export type PayoutSource =
  /** Null: the platform's own balance. */
  | { readonly kind: 'here'; readonly sourceChargeId: string | null }
  /** What was paid in the tokens of another chain is not paid out in the money of this one. */
  | { readonly kind: 'elsewhere' };
