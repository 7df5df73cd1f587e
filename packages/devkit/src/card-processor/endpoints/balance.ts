import { balanceAt, enterBalance } from '../balance.ts';
import type { Balance, BankMovement } from '../objects.ts';
import { newId, page, seconds, type World } from '../world.ts';
import { endpoint, noParams, paging } from './endpoint.ts';
import { hash, integer, params } from './params.ts';

const PATH = '/v1/balance_transactions';

const amounts = (amount: number) => [{ amount, currency: 'usd', source_types: { card: amount } }];

/** To the platform's bank, or from it. */
export function moveToBank(world: World, amount: number): void {
  const object = amount > 0 ? 'payout' : 'topup';
  const movement: BankMovement = {
    id: newId(amount > 0 ? 'po' : 'tu'),
    object,
    amount: Math.abs(amount),
    created: seconds(world),
    currency: 'usd',
    livemode: false,
    metadata: {},
    status: amount > 0 ? 'paid' : 'succeeded',
  };
  world.state.bankMovements[movement.id] = movement;
  enterBalance(world, { type: object, category: object, source: movement.id, amount: -amount });
}

export const balanceEndpoints = [
  endpoint('GET', '/v1/balance', noParams, (world) => {
    const { available, pending } = balanceAt(world, seconds(world));
    const answer: Balance = {
      object: 'balance',
      available: amounts(available),
      livemode: false,
      pending: amounts(pending),
    };
    return answer;
  }),
  endpoint(
    'GET',
    PATH,
    params({}, { ...paging, created: hash({}, { gte: integer }) }),
    (world, { created, ...rest }) => {
      const now = seconds(world);
      const matching = world.state.balanceTransactions
        .filter((one) => one.created >= (created?.gte ?? 0))
        .map((one) => ({ ...one, status: one.available_on > now ? 'pending' : 'available' }));
      return page(PATH, matching, rest);
    },
  ),
];
