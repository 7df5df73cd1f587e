import { convertCents, PER_DOLLAR } from '../account-currency.ts';
import { availableOf, balanceAt, enterBalance } from '../balance.ts';
import type { Account, Metadata, Transfer, TransferReversal } from '../objects.ts';
import { missing, Problem } from '../problem.ts';
import { find, newId, page, seconds, type World } from '../world.ts';
import { endpoint, noParams, paging } from './endpoint.ts';
import { currency, expand, metadata, params, positive, text } from './params.ts';

const PATH = '/v1/transfers';
const create = params(
  { amount: positive, currency, destination: text() },
  { description: text(), expand, metadata, source_transaction: text(), transfer_group: text() },
);
type Created = ReturnType<typeof create>;
const createOfReversal = params({}, { amount: positive, expand, metadata });

/** When the money that pays a transfer is there; a charge's own can be sent on before. */
function fundedOn(world: World, input: Created): number {
  const now = seconds(world);
  if (!input.source_transaction) {
    if (balanceAt(world, now).available >= input.amount) return now;
    const message = 'You have insufficient available funds in your Stripe account.';
    throw new Problem(400, message, { code: 'balance_insufficient' });
  }
  const charge = world.state.charges[input.source_transaction];
  if (!charge) throw missing('charge', input.source_transaction, 'source_transaction', 400);
  const sent = Object.values(world.state.transfers)
    .filter(({ source_transaction }) => source_transaction === charge.id)
    .reduce((sum, { amount }) => sum + amount, 0);
  const limit = charge.amount_captured - charge.amount_refunded;
  if (sent + input.amount > limit) {
    const message = `Transfers using this transaction as a source must not exceed the source amount of $${(limit / 100).toFixed(2)}.`;
    throw new Problem(400, message, { param: 'amount' });
  }
  if (charge.transfer_group && input.transfer_group && charge.transfer_group !== input.transfer_group) {
    const message = 'The transfer_group must be that of the source_transaction.';
    throw new Problem(400, message, { param: 'transfer_group' });
  }
  return availableOf(world, charge.id, now);
}

/** Stripe keeps an account's money in its own currency: the account gains and loses by what a dollar costs that day. */
function ownAmount(world: World, account: Account, amount: number, direction: 'in' | 'out'): number {
  return convertCents(amount, world.state.exchangeRates[account.default_currency] ?? PER_DOLLAR, direction);
}

function createTransfer(world: World, input: Created): Transfer {
  const account = world.state.accounts[input.destination];
  if (!account || account.isClosed) throw missing('destination', input.destination, 'destination', 400);
  if (account.capabilities.transfers !== 'active') {
    const message =
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments';
    throw new Problem(400, message, { code: 'insufficient_capabilities_for_transfer' });
  }
  // Without a code, as Stripe refuses it: nothing but the words tells why.
  if (world.state.closedCountries.includes(account.country)) {
    const message = `Funds can't be sent to accounts located in ${account.country} when the account is under the \`full\` service agreement.`;
    throw new Problem(400, message);
  }
  const availableOn = fundedOn(world, input);
  const source = input.source_transaction ?? null;
  const transfer: Transfer = {
    id: newId('tr'),
    object: 'transfer',
    amount: input.amount,
    amount_reversed: 0,
    created: seconds(world),
    currency: input.currency,
    description: input.description ?? null,
    destination: account.id,
    livemode: false,
    metadata: input.metadata ?? {},
    reversed: false,
    source_transaction: source,
    source_type: 'card',
    transfer_group: input.transfer_group ?? world.state.charges[source ?? '']?.transfer_group ?? null,
  };
  world.state.transfers[transfer.id] = transfer;
  if (account.settings.payouts.schedule.interval === 'manual')
    account.balance = (account.balance ?? 0) + ownAmount(world, account, input.amount, 'in');
  const moved = { type: 'transfer', category: 'transfer', source: transfer.id, amount: -input.amount };
  enterBalance(world, { ...moved, availableOn });
  world.emit('transfer.created', transfer);
  return transfer;
}

/** As somebody does in the dashboard, or by the API. */
export function reverseTransfer(
  world: World,
  id: string,
  amount: number,
  more: Metadata = {},
): TransferReversal {
  const transfer = find(world.state.transfers, id, { what: 'transfer', param: 'transfer' });
  if (amount < 1 || transfer.amount_reversed + amount > transfer.amount)
    throw new Problem(400, 'No more than what was sent can be reversed.', { param: 'amount' });
  transfer.amount_reversed += amount;
  transfer.reversed = transfer.amount_reversed === transfer.amount;
  const reversal: TransferReversal = {
    id: newId('trr'),
    object: 'transfer_reversal',
    amount,
    created: seconds(world),
    currency: transfer.currency,
    metadata: more,
    transfer: transfer.id,
  };
  world.state.transferReversals[reversal.id] = reversal;
  const category = 'transfer_reversal';
  enterBalance(world, { type: 'transfer_refund', category, source: reversal.id, amount });
  world.emit('transfer.reversed', transfer);
  return reversal;
}

const REVERSALS = `${PATH}/:id/reversals`;

/** By the API: the processor takes it out of what is on the account. */
function createReversal(world: World, input: ReturnType<typeof createOfReversal>, id: string) {
  const transfer = find(world.state.transfers, id, { what: 'transfer', param: 'id' });
  const account = world.state.accounts[transfer.destination];
  const amount = input.amount ?? transfer.amount - transfer.amount_reversed;
  const taken = account ? ownAmount(world, account, amount, 'out') : 0;
  if (!account || (account.balance ?? 0) < taken) {
    const message = 'The connected account has insufficient funds for this reversal.';
    throw new Problem(400, message, { code: 'balance_insufficient' });
  }
  const reversal = reverseTransfer(world, id, amount, input.metadata);
  account.balance = (account.balance ?? 0) - taken;
  return reversal;
}

export const transferEndpoints = [
  endpoint('POST', PATH, create, createTransfer),
  endpoint(
    'GET',
    PATH,
    params({}, { ...paging, destination: text(), transfer_group: text() }),
    (world, { destination, transfer_group, ...rest }) => {
      const matching = Object.values(world.state.transfers).filter(
        (one) =>
          (!destination || one.destination === destination) &&
          (!transfer_group || one.transfer_group === transfer_group),
      );
      return page(PATH, matching, rest);
    },
  ),
  endpoint('POST', REVERSALS, createOfReversal, createReversal),
  endpoint('GET', REVERSALS, params({}, paging), (world, rest, id) => {
    const reversals = Object.values(world.state.transferReversals).filter(({ transfer }) => transfer === id);
    return page(`${PATH}/${id}/reversals`, reversals, rest);
  }),
  endpoint('GET', `${PATH}/:id`, noParams, (world, _, id) =>
    find(world.state.transfers, id, { what: 'transfer', param: 'id' }),
  ),
];
