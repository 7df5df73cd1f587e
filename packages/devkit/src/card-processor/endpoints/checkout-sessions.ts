import type { CheckoutSession, SetupIntent } from '../objects.ts';
import { badParam, Problem } from '../problem.ts';
import type { CheckoutPlan } from '../records.ts';
import { find, newId, seconds, type World } from '../world.ts';
import { endpoint, noParams } from './endpoint.ts';
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

function total(input: Created): number {
  if (!input.line_items) {
    const message = 'You must provide line_items in payment mode.';
    throw badParam(message, 'line_items', 'parameter_missing');
  }
  const cents = input.line_items.reduce(
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

function check(world: World, input: Created): void {
  if (!input.success_url)
    throw badParam('Missing required param: success_url.', 'success_url', 'parameter_missing');
  if (input.customer && input.customer_email)
    throw badParam('You may only specify one of these parameters: customer, customer_email.', 'customer');
  if (input.mode === 'setup' && (input.line_items || input.payment_intent_data))
    throw badParam('You can not pass `line_items` or `payment_intent_data` in `setup` mode.', 'mode');
  if (input.mode === 'payment' && input.setup_intent_data)
    throw badParam('You can not pass `setup_intent_data` in `payment` mode.', 'setup_intent_data');
  if (input.mode === 'setup' && !input.currency && !input.allowed_payment_method_types)
    throw badParam('Missing required param: currency.', 'currency', 'parameter_missing');
  const now = seconds(world);
  const ahead = (input.expires_at ?? now + LONGEST_SECONDS) - now;
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
  if (input.customer)
    find(world.state.customers, input.customer, { what: 'customer', param: 'customer', status: 400 });
}

function createSession(world: World, input: Created): CheckoutSession {
  check(world, input);
  const id = newId('cs_test', 58);
  const amount = input.mode === 'payment' ? total(input) : null;
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    allowed_payment_method_types: input.allowed_payment_method_types ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: input.cancel_url ?? null,
    client_reference_id: input.client_reference_id ?? null,
    created: seconds(world),
    currency: input.mode === 'payment' ? 'usd' : (input.currency ?? null),
    customer: input.customer ?? null,
    customer_details: null,
    customer_email: input.customer_email ?? null,
    expires_at: input.expires_at ?? seconds(world) + LONGEST_SECONDS,
    livemode: false,
    metadata: input.metadata ?? {},
    mode: input.mode,
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: input.mode === 'setup' ? 'no_payment_required' : 'unpaid',
    setup_intent: input.mode === 'setup' ? newSetupIntent(world, input).id : null,
    status: 'open',
    success_url: input.success_url ?? null,
    ui_mode: 'hosted_page',
    url: `${world.baseUrl}/c/${id}`,
  };
  world.state.sessions[id] = session;
  world.state.plans[id] = planOf(input);
  return session;
}

function planOf(input: Created): CheckoutPlan {
  const intent = input.payment_intent_data;
  return {
    captureMethod: intent?.capture_method ?? 'automatic_async',
    description: intent?.description ?? null,
    itemName: input.line_items?.[0]?.price_data?.product_data?.name ?? 'Your card',
    metadata: intent?.metadata ?? {},
    transferGroup: intent?.transfer_group ?? null,
    paymentIntent: null,
    authenticating: null,
  };
}

function newSetupIntent(world: World, input: Created): SetupIntent {
  const intent: SetupIntent = {
    id: newId('seti'),
    object: 'setup_intent',
    created: seconds(world),
    customer: input.customer ?? null,
    livemode: false,
    metadata: input.setup_intent_data?.metadata ?? {},
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
