import type Stripe from 'stripe';

/** Stripe's objects, as far as they are served here: names and meaning are Stripe's. */

export type Metadata = Record<string, string>;

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly created: number;
  readonly description: string | null;
  readonly email: string | null;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly name: string | null;
}

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly allowed_payment_method_types: string[] | null;
  readonly amount_subtotal: number | null;
  readonly amount_total: number | null;
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
  readonly created: number;
  readonly currency: string | null;
  readonly customer: string | null;
  customer_details: { email: string | null } | null;
  readonly customer_email: string | null;
  readonly expires_at: number;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly mode: 'payment' | 'setup';
  payment_intent: string | null;
  readonly payment_method_types: string[];
  payment_status: 'no_payment_required' | 'paid' | 'unpaid';
  readonly setup_intent: string | null;
  status: 'complete' | 'expired' | 'open';
  readonly success_url: string | null;
  readonly ui_mode: 'hosted_page';
  url: string | null;
}

export interface SetupIntent {
  readonly id: string;
  readonly object: 'setup_intent';
  readonly created: number;
  readonly customer: string | null;
  readonly livemode: false;
  readonly metadata: Metadata;
  payment_method: string | null;
  status: 'canceled' | 'requires_payment_method' | 'succeeded';
  readonly usage: 'off_session';
}

export interface PaymentMethod {
  readonly id: string;
  readonly object: 'payment_method';
  readonly card: {
    readonly brand: string;
    readonly country: 'US';
    readonly exp_month: number;
    readonly exp_year: number;
    readonly funding: 'credit';
    /** The same for one card number, whoever has it. */
    readonly fingerprint: string;
    readonly last4: string;
  };
  readonly created: number;
  customer: string | null;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly type: 'card';
}

export type CaptureMethod = 'automatic' | 'automatic_async' | 'manual';

export interface PaymentIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly amount: number;
  amount_capturable: number;
  amount_received: number;
  canceled_at: number | null;
  cancellation_reason: string | null;
  readonly capture_method: CaptureMethod;
  readonly client_secret: string;
  readonly confirmation_method: 'automatic';
  readonly created: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly description: string | null;
  last_payment_error: Record<string, unknown> | null;
  latest_charge: string | null;
  readonly livemode: false;
  readonly metadata: Metadata;
  payment_method: string | null;
  readonly payment_method_types: string[];
  status: 'canceled' | 'requires_capture' | 'requires_confirmation' | 'requires_payment_method' | 'succeeded';
  readonly transfer_group: string | null;
}

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly amount: number;
  amount_captured: number;
  amount_refunded: number;
  captured: boolean;
  readonly created: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly description: string | null;
  disputed: boolean;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly paid: boolean;
  readonly payment_intent: string;
  readonly payment_method: string;
  readonly payment_method_details: {
    readonly card: { readonly capture_before?: number; readonly fingerprint?: string };
    readonly type: 'card';
  };
  refunded: boolean;
  readonly status: 'failed' | 'succeeded';
  readonly transfer_group: string | null;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly amount: number;
  readonly charge: string;
  readonly created: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: string | null;
  status: 'canceled' | 'failed' | 'pending' | 'requires_action' | 'succeeded';
}

export interface Account {
  readonly id: string;
  readonly object: 'account';
  capabilities: { transfers?: 'active' | 'inactive' | 'pending' };
  readonly charges_enabled: boolean;
  readonly controller: Record<string, unknown>;
  readonly country: string;
  readonly created: number;
  default_currency: string;
  details_submitted: boolean;
  readonly email: string | null;
  readonly metadata: Metadata;
  payouts_enabled: boolean;
  settings: { payouts: { schedule: { interval: 'daily' | 'manual' } } };
  /** Of this stand-in: it was closed, or the platform may not see it any more. */
  isClosed?: boolean;
  /** Of this stand-in: what its bank has not got yet, in its own currency. Stripe serves it as the account's own balance. */
  balance?: number;
  requirements: { currently_due: string[]; disabled_reason: string | null };
  readonly type: 'express';
}

export interface AccountLink {
  readonly object: 'account_link';
  readonly created: number;
  readonly expires_at: number;
  readonly url: string;
}

interface BalanceAmount {
  readonly amount: number;
  readonly currency: string;
}

export interface Balance {
  readonly object: 'balance';
  readonly available: readonly BalanceAmount[];
  readonly livemode: false;
  readonly pending: readonly BalanceAmount[];
}

export interface Transfer {
  readonly id: string;
  readonly object: 'transfer';
  readonly amount: number;
  amount_reversed: number;
  readonly created: number;
  readonly currency: string;
  readonly description: string | null;
  readonly destination: string;
  readonly livemode: false;
  readonly metadata: Metadata;
  reversed: boolean;
  readonly source_transaction: string | null;
  readonly source_type: 'card';
  readonly transfer_group: string | null;
}

export interface TransferReversal {
  readonly id: string;
  readonly object: 'transfer_reversal';
  readonly amount: number;
  readonly created: number;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly transfer: string;
}

/** Between the balance and the platform's bank. */
export interface BankMovement {
  readonly id: string;
  readonly object: 'payout' | 'topup';
  readonly amount: number;
  readonly created: number;
  readonly currency: string;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly status: 'paid' | 'succeeded';
}

/** An entry of the balance. */
export interface BalanceTransaction {
  readonly id: string;
  readonly object: 'balance_transaction';
  readonly amount: number;
  readonly available_on: number;
  readonly balance_type: 'payments';
  readonly created: number;
  readonly currency: string;
  readonly description: null;
  readonly exchange_rate: null;
  readonly fee: number;
  readonly fee_details: readonly {
    readonly amount: number;
    readonly application: null;
    readonly currency: string;
    readonly description: string;
    readonly type: 'stripe_fee';
  }[];
  readonly net: number;
  readonly reporting_category: string;
  readonly source: string | null;
  readonly status: 'available' | 'pending';
  readonly type: Stripe.BalanceTransaction.Type;
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly balance_transactions: BalanceTransaction[];
  readonly charge: string;
  readonly created: number;
  readonly currency: string;
  readonly is_charge_refundable: boolean;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: 'fraudulent';
  status:
    | 'appeal_needs_response'
    | 'lost'
    | 'needs_response'
    | 'warning_closed'
    | 'warning_needs_response'
    | 'won';
}
