import Stripe from 'stripe';
import { afterAll, beforeAll } from 'vitest';
import { type LocalCardProcessor, startCardProcessor } from './start-card-processor.ts';
import { createStripeClient } from './stripe-client.ts';
import { enterCard } from './visitor.ts';

export const HERE = 'https://market.example';
export const CARDS = { allowed_payment_method_types: ['card'] };

/** Stripe's own library, as it comes, with a local card processor of the test file's own. */
export function createSdkClient() {
  let local: LocalCardProcessor;
  let stripe: Stripe;

  beforeAll(async () => {
    const secrets = { secretKey: 'sk_test_local', webhookSecret: 'whsec_local' };
    local = await startCardProcessor({ ...secrets, port: 0, stateDir: null, webhookUrl: null });
    stripe = createStripeClient(local.url, secrets.secretKey);
  });
  afterAll(() => local.close());

  /** A saved card, by its number. */
  async function saveCard(number: string) {
    const customer = await stripe.customers.create({ email: 'buyer@example.com' });
    const session = await stripe.checkout.sessions.create({
      mode: 'setup',
      ...CARDS,
      customer: customer.id,
      success_url: HERE,
    });
    await enterCard(session.url ?? '', number);
    const shown = await stripe.checkout.sessions.retrieve(session.id, { expand: ['setup_intent'] });
    const intent = shown.setup_intent;
    if (!intent || typeof intent === 'string') throw new Error('It was not shown whole.');
    return { customer: customer.id, payment_method: String(intent.payment_method) };
  }

  const charge = (card: { customer: string; payment_method: string }, rest: object = {}) =>
    stripe.paymentIntents.create({
      amount: 700,
      currency: 'usd',
      ...CARDS,
      ...card,
      confirm: true,
      off_session: true,
      ...rest,
    });

  return { stripe: () => stripe, advance: (ms: number) => local.control.advance(ms), saveCard, charge };
}

/** A failed call as Stripe's library tells it. */
export async function failure(call: Promise<unknown>) {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Stripe.errors.StripeError)) throw error ?? new Error('It did not fail.');
  const { type, code, param, statusCode, message } = error;
  return { type, code, param, statusCode, message };
}
