import type Stripe from 'stripe';
import type { CardProcessor } from '../../kernel/ports/card-processor.ts';
import { SERVED_COUNTRIES } from './served-countries.data.ts';
import { CURRENCY } from './stripe-checkouts.ts';
import { ask, isRefusal, isServerFailure } from './stripe-errors.ts';

type Payouts = Pick<
  CardProcessor,
  | 'servesCountry'
  | 'createAccount'
  | 'createOnboardingLink'
  | 'getAccount'
  | 'transfer'
  | 'reverseTransfer'
  | 'findTransfer'
  | 'getTransfer'
>;

/** Refusals because of the account or the balance, not because of our request. */
const REFUSALS = [
  'balance_insufficient',
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'account_invalid',
];

/** Null: the account was closed, or taken from the platform, and Stripe does not show it any more. */
function unlessClosed<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (isRefusal(error) && error.code === 'account_invalid') return null;
    throw error;
  });
}

/** Connected accounts, and the transfers of the sellers' shares to them. */
export function stripePayouts(stripe: Stripe): Payouts {
  const transferUnder = async (transfer_group: string, key: string) => {
    const { data } = await stripe.transfers.list({ transfer_group, limit: 100 });
    return data.find(({ metadata }) => metadata.key === key);
  };

  const reversalUnder = async (transferId: string, key: string) => {
    const { data } = await stripe.transfers.listReversals(transferId, { limit: 100 });
    return data.find(({ metadata }) => metadata?.key === key);
  };

  return {
    servesCountry: (country) => SERVED_COUNTRIES.has(country),

    createAccount: (key, { sellerId, country, email }) =>
      ask('create account', async () => {
        const { id } = await stripe.accounts.create(
          {
            country,
            ...(email && { email }),
            // Stripe collects what it needs on its own pages; the platform answers for losses and fees.
            controller: {
              requirement_collection: 'stripe',
              stripe_dashboard: { type: 'express' },
              fees: { payer: 'application' },
              losses: { payments: 'application' },
            },
            capabilities: { transfers: { requested: true } },
            metadata: { sellerId },
          },
          { idempotencyKey: key },
        );
        return { accountId: id };
      }),

    createOnboardingLink: (key, link) =>
      ask('create onboarding link', async () => {
        const page = await unlessClosed(
          stripe.accountLinks.create(
            {
              account: link.accountId,
              type: 'account_onboarding',
              return_url: link.returnUrl,
              refresh_url: link.refreshUrl,
            },
            { idempotencyKey: key },
          ),
        );
        return page && { url: page.url };
      }),

    getAccount: (accountId) =>
      ask('get account', async () => {
        const account = await unlessClosed(stripe.accounts.retrieve(accountId));
        if (account === null) return { accountId, payoutsEnabled: false, detailsSubmitted: false };
        return {
          accountId: account.id,
          // Money must be able to reach the account, and to leave it.
          payoutsEnabled: account.payouts_enabled && account.capabilities?.transfers === 'active',
          detailsSubmitted: account.details_submitted,
        };
      }),

    transfer: (key, { accountId, amountCents, purchaseId, sourceChargeId }) =>
      ask('transfer', async () => {
        // Stripe drops idempotency keys after a day; the metadata of the transfer keeps ours.
        const before = await transferUnder(purchaseId, key);
        if (before) return { kind: 'transferred', transferId: before.id };
        try {
          const { id } = await stripe.transfers.create(
            {
              amount: amountCents,
              currency: CURRENCY,
              destination: accountId,
              transfer_group: purchaseId,
              ...(sourceChargeId && { source_transaction: sourceChargeId }),
              metadata: { key },
            },
            { idempotencyKey: key },
          );
          return { kind: 'transferred', transferId: id };
        } catch (error) {
          if (isRefusal(error) && (REFUSALS.includes(error.code ?? '') || error.param === 'destination'))
            return { kind: 'refused', code: error.code ?? 'account_invalid' };
          const earlier = isServerFailure(error) && (await transferUnder(purchaseId, key));
          if (!earlier) throw error;
          return { kind: 'transferred', transferId: earlier.id };
        }
      }),

    reverseTransfer: (key, { transferId, amountCents }) =>
      ask('reverse transfer', async () => {
        const before = await reversalUnder(transferId, key);
        if (before) return { kind: 'reversed', reversalId: before.id };
        try {
          const { id } = await stripe.transfers.createReversal(
            transferId,
            { amount: amountCents, metadata: { key } },
            { idempotencyKey: key },
          );
          return { kind: 'reversed', reversalId: id };
        } catch (error) {
          if (isRefusal(error)) return { kind: 'refused', code: error.code ?? 'reversal_refused' };
          const earlier = isServerFailure(error) && (await reversalUnder(transferId, key));
          if (!earlier) throw error;
          return { kind: 'reversed', reversalId: earlier.id };
        }
      }),

    findTransfer: (key, purchaseId) =>
      ask('find transfer', async () => {
        const found = await transferUnder(purchaseId, key);
        return found ? { transferId: found.id } : null;
      }),

    getTransfer: (transferId) =>
      ask('get transfer', async () => {
        const { id, amount, reversed } = await stripe.transfers.retrieve(transferId);
        return { transferId: id, amountCents: amount, reversed };
      }),
  };
}
