import type Stripe from 'stripe';
import type * as Local from './objects.ts';
import type { Event } from './records.ts';

/** Of each object: Stripe's own type, and what the local card processor serves in its place. */
interface Objects {
  account: [Stripe.Account, Local.Account];
  account_link: [Stripe.AccountLink, Local.AccountLink];
  balance: [Stripe.Balance, Local.Balance];
  balance_transaction: [Stripe.BalanceTransaction, Local.BalanceTransaction];
  charge: [Stripe.Charge, Local.Charge];
  'checkout.session': [Stripe.Checkout.Session, Local.CheckoutSession];
  customer: [Stripe.Customer, Local.Customer];
  dispute: [Stripe.Dispute, Local.Dispute];
  event: [Stripe.Event, Event];
  payment_intent: [Stripe.PaymentIntent, Local.PaymentIntent];
  payment_method: [Stripe.PaymentMethod, Local.PaymentMethod];
  payout: [Stripe.Payout, Local.BankMovement];
  refund: [Stripe.Refund, Local.Refund];
  setup_intent: [Stripe.SetupIntent, Local.SetupIntent];
  topup: [Stripe.Topup, Local.BankMovement];
  transfer: [Stripe.Transfer, Local.Transfer];
  transfer_reversal: [Stripe.TransferReversal, Local.TransferReversal];
}

/** Every field that the adapter reads. */
const FIELDS = {
  account: ['capabilities.transfers', 'details_submitted', 'id', 'payouts_enabled'],
  account_link: ['url'],
  balance: ['available.amount', 'available.currency', 'pending.amount', 'pending.currency'],
  balance_transaction: ['amount', 'created', 'currency', 'fee', 'id', 'source', 'type'],
  charge: [
    'amount_refunded',
    'disputed',
    'id',
    'payment_intent',
    'payment_method_details.card.capture_before',
    'payment_method_details.card.fingerprint',
  ],
  'checkout.session': [
    'amount_total',
    'id',
    'metadata',
    'mode',
    'payment_intent',
    'setup_intent',
    'status',
    'url',
  ],
  customer: ['id'],
  dispute: ['amount', 'balance_transactions', 'id', 'payment_intent', 'status'],
  event: ['account', 'created', 'data', 'id', 'type'],
  payment_intent: [
    'amount',
    'amount_received',
    'id',
    'last_payment_error',
    'latest_charge',
    'metadata',
    'status',
  ],
  payment_method: ['card.brand', 'card.exp_month', 'card.exp_year', 'card.fingerprint', 'card.last4', 'id'],
  payout: ['id'],
  refund: ['amount', 'id', 'metadata', 'payment_intent', 'status'],
  setup_intent: ['payment_method', 'status'],
  topup: ['id'],
  transfer: ['amount', 'id', 'metadata', 'reversed'],
  transfer_reversal: ['id', 'metadata', 'transfer'],
} as const satisfies Record<keyof Objects, readonly string[]>;

type Member<T, K extends string> = T extends readonly (infer Item)[]
  ? Member<Item, K>
  : K extends keyof T
    ? T[K]
    : never;
type At<T, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? At<NonNullable<Member<T, Head>>, Rest>
  : Member<T, Path>;
type Scalar<T> = Exclude<T, object>;
/** Not at Stripe, not here, or something here that Stripe would never send. Related objects are compared by themselves. */
type IsMisfit<Theirs, Ours> = [Theirs] extends [never]
  ? true
  : [Ours] extends [never]
    ? true
    : [Scalar<Ours>] extends [Scalar<Theirs>]
      ? false
      : true;
type Misfits = {
  [Name in keyof Objects]: {
    [Path in (typeof FIELDS)[Name][number]]: IsMisfit<
      At<Objects[Name][0], Path>,
      At<Objects[Name][1], Path>
    > extends true
      ? `${Name}.${Path}`
      : never;
  }[(typeof FIELDS)[Name][number]];
}[keyof Objects];

/** Does not compile where a field is not what Stripe's types say; the error names it. */
type None<T extends never> = T;

/** As `charge.payment_method_details.card.fingerprint`. */
export const FIELDS_READ: readonly (string | None<Misfits>)[] = Object.entries(FIELDS).flatMap(
  ([name, paths]) => paths.map((path) => `${name}.${path}`),
);
