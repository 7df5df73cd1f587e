import { declined, findCard, isDecline } from '../cards.ts';
import { authorize, captureAmount, refuse, release } from '../money.ts';
import type { PaymentIntent } from '../objects.ts';
import { badParam, missing, Problem } from '../problem.ts';
import { find, findIntent, newId, page, seconds, type World } from '../world.ts';
import { endpoint, noParams, paging } from './endpoint.ts';
import {
  bool,
  chargeAmount,
  currency,
  expand,
  list,
  metadata,
  oneOf,
  params,
  positive,
  text,
} from './params.ts';

const PATH = '/v1/payment_intents';

const create = params(
  { amount: chargeAmount, currency },
  {
    allowed_payment_method_types: list(oneOf('card')),
    capture_method: oneOf('automatic', 'automatic_async', 'manual'),
    confirm: bool,
    customer: text(),
    description: text(1000),
    expand,
    metadata,
    off_session: bool,
    payment_method: text(),
    transfer_group: text(),
  },
);
type Created = ReturnType<typeof create>;

export function newIntent(
  world: World,
  input: Pick<PaymentIntent, 'amount' | 'capture_method' | 'customer' | 'description' | 'metadata'> &
    Pick<PaymentIntent, 'payment_method' | 'transfer_group'>,
): PaymentIntent {
  const id = newId('pi');
  const intent: PaymentIntent = {
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: seconds(world),
    currency: 'usd',
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    payment_method_types: ['card'],
    status: input.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    ...input,
  };
  world.state.paymentIntents[id] = intent;
  world.emit('payment_intent.created', intent);
  return intent;
}

function createIntent(world: World, input: Created): PaymentIntent {
  const { confirm = false, off_session = false, payment_method = null, customer = null } = input;
  if (off_session && !confirm)
    throw badParam('`off_session` can only be used with `confirm=true`.', 'off_session');
  if (confirm && !payment_method) {
    throw badParam(
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      'payment_method',
      'payment_intent_unexpected_state',
    );
  }
  if (customer) find(world.state.customers, customer, { what: 'customer', param: 'customer', status: 400 });
  if (payment_method) checkOwner(world, payment_method, customer);
  const intent = newIntent(world, {
    amount: input.amount,
    capture_method: input.capture_method ?? 'automatic_async',
    customer,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    payment_method,
    transfer_group: input.transfer_group ?? null,
  });
  if (confirm) confirmOffSession(world, intent);
  return intent;
}

function checkOwner(world: World, id: string, customer: string | null): void {
  const method = world.state.paymentMethods[id];
  if (!method) throw missing('PaymentMethod', id, 'payment_method', 400);
  if (method.customer !== customer) {
    throw badParam(
      'The provided PaymentMethod is attached to a Customer. You must provide that Customer with it.',
      'payment_method',
    );
  }
}

/** Charges a saved card whose holder is not there to answer the bank. */
function confirmOffSession(world: World, intent: PaymentIntent): void {
  const methodId = intent.payment_method ?? '';
  const card = findCard(world.state.cardNumbers[methodId] ?? '');
  const refusal = isDecline(card)
    ? card
    : (card.decline ??
      // Saving a card sets it up: the other kind of such cards is content with that.
      (card.authentication === 'always'
        ? { code: 'authentication_required', declineCode: 'authentication_required' }
        : null));
  if (!refusal) {
    authorize(world, intent, 'offSession');
    return;
  }
  const { error } = declined(refusal, {}).body();
  const charge = refuse(world, intent, error);
  throw declined(refusal, {
    charge: charge.id,
    payment_intent: structuredClone(intent),
    payment_method: world.state.paymentMethods[methodId],
  });
}

function unexpectedState(intent: PaymentIntent, doing: string, needed: string): Problem {
  return new Problem(
    400,
    `This PaymentIntent could not be ${doing} because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be ${doing}: ${needed}.`,
    { code: 'payment_intent_unexpected_state', payment_intent: structuredClone(intent) },
  );
}

const capture = params({}, { amount_to_capture: positive, metadata, expand });
const CANCELABLE = ['requires_payment_method', 'requires_capture', 'requires_confirmation'];
const cancel = params(
  {},
  {
    cancellation_reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'),
    expand,
  },
);

export const paymentIntentEndpoints = [
  endpoint('POST', PATH, create, createIntent),
  endpoint('GET', PATH, params({}, { ...paging, customer: text() }), (world, { customer, ...rest }) => {
    const all = Object.values(world.state.paymentIntents);
    return page(PATH, customer ? all.filter((intent) => intent.customer === customer) : all, rest);
  }),
  endpoint('GET', `${PATH}/:id`, noParams, (world, _, id) => findIntent(world, id)),
  endpoint('POST', `${PATH}/:id/capture`, capture, (world, input, id) => {
    const intent = findIntent(world, id);
    if (intent.status !== 'requires_capture') throw unexpectedState(intent, 'captured', 'requires_capture');
    const amount = input.amount_to_capture ?? intent.amount_capturable;
    if (amount > intent.amount_capturable) {
      const message = 'The amount to capture is greater than what can be captured.';
      throw new Problem(400, message, { code: 'amount_too_large', param: 'amount_to_capture' });
    }
    captureAmount(world, intent, amount);
    return intent;
  }),
  endpoint('POST', `${PATH}/:id/cancel`, cancel, (world, input, id) => {
    const intent = findIntent(world, id);
    if (!CANCELABLE.includes(intent.status)) throw unexpectedState(intent, 'canceled', CANCELABLE.join(', '));
    release(world, intent, input.cancellation_reason ?? null);
    return intent;
  }),
];
