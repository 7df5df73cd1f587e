import type Stripe from 'stripe';
import type { CardProcessor, CheckoutSession, SavedCard } from '../../kernel/ports/card-processor.ts';
import { ask, askStateGuarded, isRefusal, isServerFailure } from './stripe-errors.ts';
import { fromMetadata, idOf, toMetadata, transferGroup } from './stripe-reference.ts';

/** Other methods settle days later, and some cannot be authorized before capture. */
export const CARDS_ONLY = { allowed_payment_method_types: ['card' as const] };
export const CURRENCY = 'usd';

/** Stripe's limit for the name of a line item. */
const MAX_NAME_LENGTH = 250;

type Checkouts = Pick<
  CardProcessor,
  'createCheckout' | 'getCheckout' | 'expireCheckout' | 'createSetup' | 'getSetup'
>;

/** Hosted pages: Checkout Sessions that pay once or save a card. */
export function stripeCheckouts(stripe: Stripe): Checkouts {
  return {
    createCheckout: (key, checkout) =>
      ask('create checkout', async () => {
        const metadata = toMetadata(checkout.reference);
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'payment',
            ...CARDS_ONLY,
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: CURRENCY,
                  unit_amount: checkout.amountCents,
                  product_data: { name: checkout.description.slice(0, MAX_NAME_LENGTH) },
                },
              },
            ],
            payment_intent_data: {
              capture_method: checkout.capture,
              description: checkout.description,
              metadata,
              ...transferGroup(checkout.reference),
            },
            metadata,
            // Stripe accepts either a customer, who has an e-mail address, or an address; never both.
            ...(checkout.customerId
              ? { customer: checkout.customerId }
              : checkout.email && { customer_email: checkout.email }),
            success_url: checkout.successUrl,
            cancel_url: checkout.cancelUrl,
            expires_at: Math.floor(checkout.expiresAtMs / 1000),
          },
          { idempotencyKey: key },
        );
        return toCheckout(session);
      }),

    getCheckout: (sessionId) =>
      ask('get checkout', async () => toCheckout(await stripe.checkout.sessions.retrieve(sessionId))),

    expireCheckout: (key, sessionId) =>
      ask('expire checkout', async () => {
        try {
          return toCheckout(
            await askStateGuarded(key, (idempotencyKey) =>
              stripe.checkout.sessions.expire(sessionId, undefined, { idempotencyKey }),
            ),
          );
        } catch (error) {
          if (!isRefusal(error) && !isServerFailure(error)) throw error;
          const session = await stripe.checkout.sessions.retrieve(sessionId);
          if (session.status === 'open') throw error;
          return toCheckout(session);
        }
      }),

    createSetup: (key, setup) =>
      ask('create setup', async () => {
        const metadata = toMetadata({ kind: 'setup', id: setup.agentId });
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'setup',
            ...CARDS_ONLY,
            customer: setup.customerId,
            setup_intent_data: { metadata },
            metadata,
            success_url: setup.returnUrl,
            cancel_url: setup.returnUrl,
          },
          { idempotencyKey: key },
        );
        return { sessionId: session.id, url: session.url ?? '' };
      }),

    getSetup: (sessionId) =>
      ask('get setup', async () => {
        const session = await stripe.checkout.sessions.retrieve(sessionId, {
          expand: ['setup_intent.payment_method'],
        });
        const agentId = session.metadata?.id;
        const card = savedCard(session.setup_intent);
        return session.mode === 'setup' && agentId && card ? { agentId, card } : null;
      }),
  };
}

const STATUSES: Readonly<Record<string, CheckoutSession['status']>> = {
  complete: 'complete',
  expired: 'expired',
};

function toCheckout(session: Stripe.Checkout.Session): CheckoutSession {
  const status = STATUSES[session.status ?? 'open'] ?? 'open';
  return {
    sessionId: session.id,
    url: status === 'open' ? session.url : null,
    status,
    // A declined attempt leaves its payment intent on the session; only a completed session was paid.
    paymentId: status === 'complete' ? idOf(session.payment_intent) : null,
    amountCents: session.amount_total ?? 0,
    reference: fromMetadata(session.metadata),
  };
}

function savedCard(intent: string | Stripe.SetupIntent | null): SavedCard | null {
  if (!intent || typeof intent === 'string' || intent.status !== 'succeeded') return null;
  const method = intent.payment_method;
  if (!method || typeof method === 'string' || !method.card) return null;
  const { brand, last4, exp_month, exp_year, fingerprint = null } = method.card;
  return { paymentMethodId: method.id, brand, last4, expMonth: exp_month, expYear: exp_year, fingerprint };
}
