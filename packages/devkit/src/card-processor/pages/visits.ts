import {
  type Decline,
  declined,
  declineMessage,
  findCard,
  fingerprintOf,
  isDecline,
  type TestCard,
} from '../cards.ts';
import { newIntent } from '../endpoints/payment-intents.ts';
import { authorize, refuse } from '../money.ts';
import type { CheckoutSession, PaymentMethod } from '../objects.ts';
import type { CheckoutPlan, EnteredCard } from '../records.ts';
import { newId, seconds, type World } from '../world.ts';

/** What came of a form that somebody sent. */
export type VisitOutcome =
  | { readonly kind: 'done'; readonly redirect: string }
  | { readonly kind: 'authenticate' }
  | { readonly kind: 'declined'; readonly message: string };

/** Somebody entered a card on a checkout or setup page. */
export function enterCard(world: World, session: CheckoutSession, entered: EnteredCard): VisitOutcome {
  const card = findCard(entered.number);
  if (isDecline(card)) return decline(world, session, entered, card);
  if (card.authentication) {
    planOf(world, session).authenticating = entered;
    return { kind: 'authenticate' };
  }
  return accept(world, session, entered, card);
}

/** What the holder told the bank about the card entered before. */
export function answerBank(world: World, session: CheckoutSession, confirmed: boolean): VisitOutcome {
  const plan = planOf(world, session);
  const entered = plan.authenticating;
  plan.authenticating = null;
  const card = entered && findCard(entered.number);
  if (!entered || !card || isDecline(card)) return { kind: 'declined', message: 'Enter the card again.' };
  return confirmed
    ? accept(world, session, entered, card)
    : decline(world, session, entered, { code: 'payment_intent_authentication_failure' });
}

function accept(world: World, session: CheckoutSession, entered: EnteredCard, card: TestCard): VisitOutcome {
  const { decline: refusal } = card;
  if (refusal && (session.mode === 'payment' || refusal.onSave))
    return decline(world, session, entered, refusal);
  const method = newPaymentMethod(world, entered, card.brand);
  if (session.mode === 'setup') {
    const intent = world.state.setupIntents[session.setup_intent ?? ''];
    method.customer = session.customer;
    if (intent) {
      intent.payment_method = method.id;
      intent.status = 'succeeded';
      world.emit('setup_intent.succeeded', intent);
    }
  } else {
    const intent = intentOf(world, session);
    intent.payment_method = method.id;
    authorize(world, intent);
    session.payment_intent = intent.id;
    session.payment_status = intent.status === 'succeeded' ? 'paid' : 'unpaid';
  }
  session.status = 'complete';
  session.url = null;
  session.customer_details = { email: entered.email ?? session.customer_email };
  world.emit('checkout.session.completed', session);
  return {
    kind: 'done',
    redirect: (session.success_url ?? world.baseUrl).replaceAll('{CHECKOUT_SESSION_ID}', session.id),
  };
}

function decline(
  world: World,
  session: CheckoutSession,
  entered: EnteredCard,
  refusal: Decline,
): VisitOutcome {
  if (session.mode === 'payment') {
    const intent = intentOf(world, session);
    intent.payment_method = newPaymentMethod(world, entered, 'unknown').id;
    refuse(world, intent, declined(refusal, {}).body().error);
  }
  return { kind: 'declined', message: declineMessage(refusal) };
}

/** One payment for all tries on a page. */
function intentOf(world: World, session: CheckoutSession) {
  const plan = planOf(world, session);
  const known = world.state.paymentIntents[plan.paymentIntent ?? ''];
  if (known) return known;
  const intent = newIntent(world, {
    amount: session.amount_total ?? 0,
    capture_method: plan.captureMethod,
    customer: session.customer,
    description: plan.description,
    metadata: { ...plan.metadata },
    payment_method: null,
    transfer_group: plan.transferGroup,
  });
  plan.paymentIntent = intent.id;
  return intent;
}

export function planOf(world: World, session: CheckoutSession): CheckoutPlan {
  const plan = world.state.plans[session.id];
  if (!plan) throw new Error('Every session has a plan.');
  return plan;
}

function newPaymentMethod(world: World, entered: EnteredCard, brand: string): PaymentMethod {
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    card: {
      brand,
      country: 'US',
      exp_month: entered.expMonth,
      exp_year: entered.expYear,
      funding: 'credit',
      fingerprint: fingerprintOf(entered.number),
      last4: entered.number.slice(-4),
    },
    created: seconds(world),
    customer: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  world.state.paymentMethods[method.id] = method;
  world.state.cardNumbers[method.id] = entered.number;
  return method;
}
