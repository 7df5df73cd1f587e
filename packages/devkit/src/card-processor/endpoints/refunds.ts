import { availableOf, enterBalance } from '../balance.ts';
import type { Charge, Refund } from '../objects.ts';
import { badParam, Problem } from '../problem.ts';
import { find, findIntent, newId, page, seconds, type World } from '../world.ts';
import { isChargedBack } from './disputes.ts';
import { endpoint, noParams, paging } from './endpoint.ts';
import { expand, metadata, oneOf, params, positive, text } from './params.ts';

const PATH = '/v1/refunds';
const create = params(
  {},
  {
    amount: positive,
    charge: text(),
    expand,
    metadata,
    payment_intent: text(),
    reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  },
);
type Created = ReturnType<typeof create>;

function chargeOf(world: World, input: Created): Charge {
  if (!input.charge && !input.payment_intent)
    throw badParam(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'payment_intent',
    );
  const id = input.payment_intent
    ? (findIntent(world, input.payment_intent, 'payment_intent').latest_charge ?? '')
    : (input.charge ?? '');
  const charge = world.state.charges[id];
  if (!charge?.captured) {
    const message = 'This PaymentIntent does not have a successful charge to refund.';
    throw new Problem(400, message, { code: 'payment_intent_unexpected_state', param: 'payment_intent' });
  }
  return charge;
}

/** Made by a request, or by somebody in the dashboard. */
export function createRefund(world: World, input: Created): Refund {
  const charge = chargeOf(world, input);
  if (isChargedBack(world, charge)) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw new Problem(400, message, { code: 'charge_disputed' });
  }
  const left = charge.amount_captured - charge.amount_refunded;
  const amount = input.amount ?? left;
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw new Problem(400, message, { code: 'charge_already_refunded' });
  }
  if (amount > left) {
    const [requested, rest] = [amount, left].map((cents) => `$${(cents / 100).toFixed(2)}`);
    const message = `Refund amount (${requested}) is greater than unrefunded amount on charge (${rest})`;
    throw new Problem(400, message, { param: 'amount' });
  }
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    metadata: input.metadata ?? {},
    payment_intent: charge.payment_intent,
    reason: input.reason ?? null,
    status: world.state.refundStatus,
  };
  world.state.refunds[refund.id] = refund;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  // It is paid back out of the same money: what was on its way is so much less. The fee stays.
  const availableOn = availableOf(world, charge.id, refund.created);
  enterBalance(world, {
    type: 'refund',
    category: 'refund',
    source: refund.id,
    amount: -amount,
    availableOn,
  });
  world.emit('refund.created', refund);
  world.emit('charge.refunded', charge);
  return refund;
}

/** What a bank says of a refund later. A failed one is on the balance again. */
export function endRefund(world: World, id: string, status: 'canceled' | 'failed' | 'succeeded'): Refund {
  const refund = find(world.state.refunds, id, { what: 'refund', param: 'refund' });
  if (isOver(refund)) throw new Problem(400, 'This refund has failed already.');
  refund.status = status;
  if (isOver(refund)) {
    const charge = find(world.state.charges, refund.charge, { what: 'charge', param: 'charge' });
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    const { amount } = refund;
    enterBalance(world, { type: 'refund_failure', category: 'refund_failure', source: refund.id, amount });
  }
  world.emit('refund.updated', refund);
  if (status === 'failed') world.emit('refund.failed', refund);
  return refund;
}

const isOver = ({ status }: Refund): boolean => status === 'failed' || status === 'canceled';

export const refundEndpoints = [
  endpoint('POST', PATH, create, (world, input) => createRefund(world, input)),
  endpoint(
    'GET',
    PATH,
    params({}, { ...paging, payment_intent: text() }),
    (world, { payment_intent, ...rest }) => {
      const all = Object.values(world.state.refunds);
      const matching = payment_intent ? all.filter((one) => one.payment_intent === payment_intent) : all;
      return page(PATH, matching, rest);
    },
  ),
  endpoint('GET', `${PATH}/:id`, noParams, (world, _, id) =>
    find(world.state.refunds, id, { what: 'refund', param: 'id' }),
  ),
];
