import { endpoint, noParams } from './endpoint.ts';
import type { CheckoutSession, SetupIntent } from './objects.ts';
import {
  currency,
  email,
  expand,
  hash,
  integer,
  list,
  metadata,
  oneOf,
  params,
  positive,
  text,
  url,
} from './params.ts';
import { badParam, Problem } from './problem.ts';
import type { CheckoutPlan } from './records.ts';
import { find, newId, seconds, type World } from './world.ts';

const PATH = '/v1/checkout/sessions';
const SHORTEST_SECONDS = 30 * 60;
const LONGEST_SECONDS = 24 * 3600;

const lineItem = hash(
  { quantity: positive },
  {
    price_data: hash(
      { currency, unit_amount: positive },
      { product_data: hash({ name: text(250) }, { description: text(), metadata }) },
    ),
  },
);

const create = params(
  { mode: oneOf('payment', 'setup') },
  {
    allowed_payment_method_types: list(oneOf('card')),
    cancel_url: url,
    client_reference_id: text(200),
    currency,
    customer: text(),
    customer_email: email,
    expand,
    expires_at: integer,
    line_items: list(lineItem),
    metadata,
    payment_intent_data: hash(
      {},
      {
        capture_method: oneOf('automatic', 'automatic_async', 'manual'),
        description: text(1000),
        metadata,
        transfer_group: text(),
      },
    ),
    setup_intent_data: hash({}, { description: text(1000), metadata }),
    success_url: url,
    ui_mode: oneOf('hosted_page'),
  },
);
type Created = ReturnType<typeof create>;

function total(given: Created): number {
  if (!given.line_items) {
    const message = 'You must provide line_items in payment mode.';
    throw badParam(message, 'line_items', 'parameter_missing');
  }
  const cents = given.line_items.reduce(
    (sum, { quantity, price_data }) => sum + quantity * (price_data?.unit_amount ?? 0),
    0,
  );
  if (cents < 50) {
    const message = "The Checkout Session's total amount due must add up to at least $0.50 usd";
    throw new Problem(400, message, { code: 'amount_too_small' }, false);
  }
  if (cents > 99_999_999) {
    const message = "The Checkout Session's total amount due must be no more than $999,999.99";
    throw new Problem(400, message, { code: 'amount_too_large' }, false);
  }
  return cents;
}

function check(world: World, given: Created): void {
  if (!given.success_url)
    throw badParam('Missing required param: success_url.', 'success_url', 'parameter_missing');
  if (given.customer && given.customer_email)
    throw badParam('You may only specify one of these parameters: customer, customer_email.', 'customer');
  if (given.mode === 'setup' && (given.line_items || given.payment_intent_data))
    throw badParam('You can not pass `line_items` or `payment_intent_data` in `setup` mode.', 'mode');
  if (given.mode === 'payment' && given.setup_intent_data)
    throw badParam('You can not pass `setup_intent_data` in `payment` mode.', 'setup_intent_data');
  if (given.mode === 'setup' && !given.currency && !given.allowed_payment_method_types)
    throw badParam('Missing required param: currency.', 'currency', 'parameter_missing');
  const now = seconds(world);
  const ahead = (given.expires_at ?? now + LONGEST_SECONDS) - now;
  if (ahead < SHORTEST_SECONDS)
    throw badParam(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    );
  if (ahead > LONGEST_SECONDS)
    throw badParam(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    );
  if (given.customer)
    find(world.state.customers, given.customer, { what: 'customer', param: 'customer', status: 400 });
}

function createSession(world: World, given: Created): CheckoutSession {
  check(world, given);
  const id = newId('cs_test', 58);
  const amount = given.mode === 'payment' ? total(given) : null;
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    allowed_payment_method_types: given.allowed_payment_method_types ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    created: seconds(world),
    currency: given.mode === 'payment' ? 'usd' : (given.currency ?? null),
    customer: given.customer ?? null,
    customer_details: null,
    customer_email: given.customer_email ?? null,
    expires_at: given.expires_at ?? seconds(world) + LONGEST_SECONDS,
    livemode: false,
    metadata: given.metadata ?? {},
    mode: given.mode,
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: given.mode === 'setup' ? 'no_payment_required' : 'unpaid',
    setup_intent: given.mode === 'setup' ? newSetupIntent(world, given).id : null,
    status: 'open',
    success_url: given.success_url ?? null,
    ui_mode: 'hosted_page',
    url: `${world.baseUrl}/c/${id}`,
  };
  world.state.sessions[id] = session;
  world.state.plans[id] = planOf(given);
  return session;
}

function planOf(given: Created): CheckoutPlan {
  const intent = given.payment_intent_data;
  return {
    captureMethod: intent?.capture_method ?? 'automatic_async',
    description: intent?.description ?? null,
    itemName: given.line_items?.[0]?.price_data?.product_data?.name ?? 'Your card',
    metadata: intent?.metadata ?? {},
    transferGroup: intent?.transfer_group ?? null,
    paymentIntent: null,
    authenticating: null,
  };
}

function newSetupIntent(world: World, given: Created): SetupIntent {
  const intent: SetupIntent = {
    id: newId('seti'),
    object: 'setup_intent',
    created: seconds(world),
    customer: given.customer ?? null,
    livemode: false,
    metadata: given.setup_intent_data?.metadata ?? {},
    payment_method: null,
    status: 'requires_payment_method',
    usage: 'off_session',
  };
  world.state.setupIntents[intent.id] = intent;
  return intent;
}

function findSession(world: World, id: string): CheckoutSession {
  return find(world.state.sessions, id, { what: 'checkout.session', param: 'session' });
}

export function expireSession(world: World, session: CheckoutSession): void {
  session.status = 'expired';
  session.url = null;
  world.emit('checkout.session.expired', session);
}

export const checkoutEndpoints = [
  endpoint('POST', PATH, create, createSession),
  endpoint('GET', `${PATH}/:id`, noParams, (world, _, id) => findSession(world, id)),
  endpoint('POST', `${PATH}/:id/expire`, noParams, (world, _, id) => {
    const session = findSession(world, id);
    if (session.status !== 'open') {
      const message = `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`;
      throw new Problem(400, message);
    }
    expireSession(world, session);
    return session;
  }),
];
