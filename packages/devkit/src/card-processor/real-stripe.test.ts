import { createStripeCardProcessor } from '@agent-marketplace/core/adapters/stripe/stripe-card-processor.ts';
import type { TestCardKind } from '@agent-marketplace/core/testing/payments/fake-card-books.ts';
import { describeCardProcessor } from '@agent-marketplace/core/testing/suites/card-processor.suite.ts';
import Stripe from 'stripe';
import { describe, it, vi } from 'vitest';

// The shared suite against Stripe's test mode, as far as it needs nobody to fill in hosted pages.

const secretKey = process.env.STRIPE_TEST_KEY ?? '';

/** Stripe's payment methods for tests. */
const METHODS: Readonly<Partial<Record<TestCardKind, string>>> = {
  good: 'pm_card_visa',
  available_at_once: 'pm_card_bypassPending',
  declined_when_charged: 'pm_card_chargeCustomerFail',
  asks_holder: 'pm_card_authenticationRequired',
};

if (secretKey === '') {
  describe('card processor: Stripe in test mode', () => {
    it.skip('is only tried where STRIPE_TEST_KEY is set (docs/cards.md)', () => {});
  });
} else {
  if (!/^[rs]k_test_/.test(secretKey)) throw new Error('STRIPE_TEST_KEY is not a test key.');
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
  const stripe = new Stripe(secretKey, { httpClient: Stripe.createFetchHttpClient() });
  describeCardProcessor(
    'Stripe in test mode',
    async () => ({
      processor: createStripeCardProcessor({ secretKey, webhookSecret: 'whsec_unused' }),
      now: () => Date.now(),
      savedCard: async (customer, kind) => {
        const { id, card } = await stripe.paymentMethods.attach(METHODS[kind] ?? '', { customer });
        if (!card) throw new Error('It is no card.');
        const { brand, last4, exp_month, exp_year } = card;
        return {
          paymentMethodId: id,
          brand,
          last4,
          expMonth: exp_month,
          expYear: exp_year,
          fingerprint: card.fingerprint ?? null,
        };
      },
      outside: null,
    }),
    { hasOutside: false },
  );
}
