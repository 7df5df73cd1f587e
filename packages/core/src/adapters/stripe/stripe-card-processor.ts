import Stripe from 'stripe';
import type { CardProcessor } from '../../kernel/ports/card-processor.ts';
import { stripeBalance } from './stripe-balance.ts';
import { stripeCheckouts } from './stripe-checkouts.ts';
import { stripeDisputes } from './stripe-disputes.ts';
import { ask } from './stripe-errors.ts';
import type { StripeOptions } from './stripe-options.ts';
import { stripePayments } from './stripe-payments.ts';
import { stripePayouts } from './stripe-payouts.ts';
import { stripeWebhooks } from './stripe-webhooks.ts';

/** Stripe's limits for charges in US dollars. */
const CHARGE_LIMITS = { minCents: 50, maxCents: 99_999_999 };

/** Cards and payouts over Stripe: Checkout, payment intents, and Connect with separate transfers. */
export function createStripeCardProcessor(options: StripeOptions): CardProcessor {
  const { secretKey, webhookSecret, apiBase, timeoutMs = 10_000 } = options;
  // A server at another address would receive the live key.
  if (apiBase && /^[rs]k_live_/.test(secretKey))
    throw new Error('A live Stripe key cannot be combined with STRIPE_API_BASE.');
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    // Callers retry under their own idempotency keys, at times when no buyer waits.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...apiBase,
  });
  return {
    chargeLimits: CHARGE_LIMITS,
    createCustomer: (key, { agentId, email }) =>
      ask('create customer', async () => {
        const { id } = await stripe.customers.create(
          { ...(email && { email }), metadata: { agentId } },
          { idempotencyKey: key },
        );
        return { customerId: id };
      }),
    ...stripeCheckouts(stripe),
    ...stripePayments(stripe),
    ...stripeDisputes(stripe),
    ...stripePayouts(stripe),
    ...stripeBalance(stripe),
    ...stripeWebhooks(stripe, webhookSecret),
  };
}
