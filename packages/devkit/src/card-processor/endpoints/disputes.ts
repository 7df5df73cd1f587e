import { enterBalance } from '../balance.ts';
import { TEST_CARDS } from '../cards.ts';
import type { Charge, Dispute } from '../objects.ts';
import { Problem } from '../problem.ts';
import { find, newId, page, seconds, type World } from '../world.ts';
import { endpoint, noParams, paging } from './endpoint.ts';
import { params, text } from './params.ts';

const PATH = '/v1/disputes';
/** Stripe's own charge for a dispute in the United States; it stays, however the dispute ends. */
const FEE = 1500;
const MOST_DRIFT = 1.1;
const CLOSED = ['lost', 'won', 'warning_closed'];

export interface DisputeTerms {
  /** All of the charge that was not refunded, where it is not given; another may differ by what currencies drifted. */
  readonly amount?: number | undefined;
  /** The bank only asks, and takes no money yet. */
  readonly inquiry?: boolean | undefined;
}

/** The holder of the card disputes a charge at its bank. */
export function openDispute(world: World, charge: Charge, { amount, inquiry }: DisputeTerms = {}): Dispute {
  const left = charge.amount_captured - charge.amount_refunded;
  const disputed = amount ?? left;
  if (!charge.captured || left < 1 || disputed < 1 || disputed > left * MOST_DRIFT)
    throw new Problem(400, 'No more than what was captured and not refunded can be disputed.');
  const dispute: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount: disputed,
    balance_transactions: [],
    charge: charge.id,
    created: seconds(world),
    currency: charge.currency,
    is_charge_refundable: inquiry === true,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
  world.state.disputes[dispute.id] = dispute;
  charge.disputed = true;
  if (!inquiry) enter(world, dispute, -disputed, FEE);
  world.emit('charge.dispute.created', dispute);
  if (!inquiry) world.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Whether what was paid by a charge has been taken back, or may be. */
export function isChargedBack({ state }: World, charge: Charge): boolean {
  return Object.values(state.disputes).some(
    ({ charge: id, status, is_charge_refundable }) =>
      id === charge.id && status !== 'won' && status !== 'warning_closed' && !is_charge_refundable,
  );
}

/** Some test cards have an impatient holder. */
export function disputeIfTestCard(world: World, charge: Charge): void {
  const card = TEST_CARDS[world.state.cardNumbers[charge.payment_method] ?? ''];
  if (card?.disputedAtOnce) openDispute(world, charge);
}

/** What the bank decides. */
export function closeDispute(world: World, id: string, outcome: 'lost' | 'won'): Dispute {
  const dispute = find(world.state.disputes, id, { what: 'dispute', param: 'dispute' });
  if (CLOSED.includes(dispute.status)) throw new Problem(400, 'This dispute is already closed.');
  const isInquiry = dispute.status.startsWith('warning');
  if (isInquiry && outcome === 'lost')
    throw new Problem(400, 'An inquiry is not lost: it has to be escalated.');
  dispute.status = isInquiry ? 'warning_closed' : outcome;
  const isBack = outcome === 'won' && !isInquiry;
  if (isBack) enter(world, dispute, dispute.amount, 0);
  world.emit('charge.dispute.closed', dispute);
  if (isBack) world.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

/** What was lost is looked at anew, and may be won after all. */
export function appealDispute(world: World, id: string): Dispute {
  const dispute = find(world.state.disputes, id, { what: 'dispute', param: 'dispute' });
  if (dispute.status !== 'lost') throw new Problem(400, 'Only a lost dispute can be appealed.');
  dispute.status = 'appeal_needs_response';
  world.emit('charge.dispute.updated', dispute);
  return dispute;
}

function enter(world: World, dispute: Dispute, amount: number, fee: number): void {
  const entry = { type: 'adjustment' as const, category: 'dispute', source: dispute.id, amount, fee };
  dispute.balance_transactions.push(enterBalance(world, entry));
}

export const disputeEndpoints = [
  endpoint('GET', `${PATH}/:id`, noParams, (world, _, id) =>
    find(world.state.disputes, id, { what: 'dispute', param: 'dispute' }),
  ),
  endpoint(
    'GET',
    PATH,
    params({}, { ...paging, charge: text(), payment_intent: text() }),
    (world, { charge, payment_intent, ...rest }) => {
      const matching = Object.values(world.state.disputes).filter(
        (one) =>
          (!charge || one.charge === charge) && (!payment_intent || one.payment_intent === payment_intent),
      );
      return page(PATH, matching, rest);
    },
  ),
  endpoint('POST', `${PATH}/:id/close`, noParams, (world, _, id) => closeDispute(world, id, 'lost')),
];
