import type { BalanceTransaction } from './objects.ts';
import { newId, seconds, type World } from './world.ts';

/** What moves the balance; available at once, and without a charge, where nothing else is said. */
interface Movement {
  readonly type: BalanceTransaction['type'];
  readonly category: string;
  readonly source: string | null;
  readonly amount: number;
  readonly fee?: number;
  readonly availableOn?: number;
}

/** Writes down money that came into the platform's balance or left it. */
export function enterBalance(world: World, movement: Movement): BalanceTransaction {
  const { type, category, source, amount, fee = 0, availableOn } = movement;
  const now = seconds(world);
  const details = {
    application: null,
    currency: 'usd',
    description: 'Processing fees',
    type: 'stripe_fee',
  } as const;
  const entry: BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: availableOn ?? now,
    balance_type: 'payments',
    created: now,
    currency: 'usd',
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [{ ...details, amount: fee }],
    net: amount - fee,
    reporting_category: category,
    source,
    status: availableOn !== undefined && availableOn > now ? 'pending' : 'available',
    type,
  };
  world.state.balanceTransactions.push(entry);
  return entry;
}

/** When what a charge brought is there; what is paid out of it waits as long. */
export function availableOf({ state }: World, chargeId: string | null, now: number): number {
  const taken = state.balanceTransactions.find(({ source }) => source !== null && source === chargeId);
  return Math.max(taken?.available_on ?? 0, now);
}

export function balanceAt({ state: { balanceTransactions } }: World, now: number) {
  const sum = (entries: typeof balanceTransactions) => entries.reduce((total, { net }) => total + net, 0);
  return {
    available: sum(balanceTransactions.filter(({ available_on }) => available_on <= now)),
    pending: sum(balanceTransactions.filter(({ available_on }) => available_on > now)),
  };
}
