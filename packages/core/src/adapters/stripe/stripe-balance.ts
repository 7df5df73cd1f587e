import type Stripe from 'stripe';
import type { BalanceEntry, BalanceEntryKind, CardProcessor } from '../../kernel/ports/card-processor.ts';
import { CURRENCY } from './stripe-checkouts.ts';
import { ask } from './stripe-errors.ts';
import { idOf } from './stripe-reference.ts';

const PAGE = 100;

/** Stripe's types of balance transactions. Of an `adjustment`, its source says what it is. */
const KINDS: Readonly<Record<string, BalanceEntryKind>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  transfer: 'transfer',
  transfer_refund: 'transfer_reversal',
  transfer_cancel: 'transfer_reversal',
  transfer_failure: 'transfer_reversal',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  topup: 'funding',
  topup_reversal: 'funding',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
};

/** The platform's balance, and what moved it. */
export function stripeBalance(stripe: Stripe): Pick<CardProcessor, 'getBalance' | 'listBalanceEntries'> {
  return {
    getBalance: () =>
      ask('get balance', async () => {
        const { available, pending } = await stripe.balance.retrieve();
        return { availableCents: cents(available), pendingCents: cents(pending) };
      }),

    listBalanceEntries: ({ sinceMs, after }) =>
      ask('list balance entries', async () => {
        const { data, has_more } = await stripe.balanceTransactions.list({
          created: { gte: Math.floor(sinceMs / 1000) },
          limit: PAGE,
          expand: ['data.source'],
          ...(after && { starting_after: after }),
        });
        return { entries: data.map(toEntry), next: has_more ? (data.at(-1)?.id ?? null) : null };
      }),
  };
}

function toEntry(transaction: Stripe.BalanceTransaction): BalanceEntry {
  const { id, type, amount, fee, currency, created } = transaction;
  const source = typeof transaction.source === 'object' ? transaction.source : null;
  return {
    entryId: id,
    kind: source?.object === 'dispute' ? 'dispute' : (KINDS[type] ?? 'other'),
    type,
    objectId: idOf(transaction.source),
    paymentId: source && 'payment_intent' in source ? idOf(source.payment_intent) : null,
    transferId: transferOf(source),
    amountCents: amount,
    feeCents: fee,
    currency,
    createdAtMs: created * 1000,
  };
}

function transferOf(source: Stripe.BalanceTransactionSource | null): string | null {
  if (source?.object === 'transfer') return source.id;
  return source?.object === 'transfer_reversal' ? idOf(source.transfer) : null;
}

function cents(amounts: readonly { readonly amount: number; readonly currency: string }[]): number {
  return amounts.reduce((sum, { amount, currency }) => (currency === CURRENCY ? sum + amount : sum), 0);
}
