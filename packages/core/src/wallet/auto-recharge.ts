import { windowOf } from '../budgets/index.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { DAY_MS, epochOf, isoTime, SECOND_MS } from '../kernel/time.ts';
import { subsidyRefusal, takeTopUpSubsidy } from '../subsidies/index.ts';
import { closeOlderPages } from './close-older-pages.ts';
import {
  beginRecharge,
  isMonthSpent,
  isNotDue,
  postponeRecharge,
  refreshDueRecharge,
} from './recharge.store.ts';
import { settle } from './settle-top-up.ts';
import { hasNoHeadroom, insertTopUp, type TopUp } from './top-ups.store.ts';
import { afterNoRoom, CHECKOUT_LIFETIME_MS, FIRST_CHECK_MS } from './wallet.rules.ts';
import { readWallet } from './wallet.store.ts';

export type RechargeOutcome =
  | 'not_due'
  | 'month_spent'
  | 'no_headroom'
  | 'closed'
  | 'charged'
  | 'refused'
  | 'under_way';

/**
 * Charges the saved card if the balance has fallen below the agent's threshold. Called in the background after money
 * left a wallet; a job calls it every minute for recharges that are still due.
 */
export async function maybeAutoRecharge(
  ports: Pick<Ports, 'market' | 'cards' | 'clock' | 'ids' | 'log' | 'subsidies'>,
  agentId: string,
): Promise<RechargeOutcome> {
  const { market, cards, clock, ids } = ports;
  if (cards === null) return 'not_due';
  const now = clock.now();
  const wallet = await readWallet(market, agentId);
  const { card, autoRecharge, balanceCents } = wallet;
  const { enabled, state, at, amountCents, thresholdCents } = autoRecharge;
  if (!enabled || card === null || state !== 'due' || (at !== null && epochOf(at) > now)) return 'not_due';
  if (balanceCents >= thresholdCents) {
    await market.commit([refreshDueRecharge(agentId)]);
    return 'not_due';
  }
  const month = windowOf('month', isoTime(now));
  const id = ids.uuid();
  const topUp: TopUp = {
    id,
    agentId,
    amountCents,
    source: 'auto_recharge',
    charge: {
      reference: { kind: 'top_up', id },
      customerId: card.customerId,
      paymentMethodId: card.paymentMethodId,
      amountCents,
      description: 'Wallet credits, recharged automatically',
      capture: 'automatic',
    },
    createdAt: isoTime(now),
    expiresAt: isoTime(now + CHECKOUT_LIFETIME_MS),
    status: 'open',
    sessionId: null,
    paymentId: null,
    returnOwedSince: null,
    returnFailures: 0,
  };
  const begin = async () =>
    market.commit([
      ...beginRecharge(wallet, isoTime(now), month.startsOn),
      ...insertTopUp(topUp, isoTime(now + FIRST_CHECK_MS)),
      ...takeTopUpSubsidy(ports, topUp, { instrument: card.fingerprint }),
    ]);
  try {
    await begin().catch(async (error: unknown) => {
      if (!hasNoHeadroom(error)) throw error;
      // A page that nobody paid must not keep the wallet empty.
      if (!(await closeOlderPages({ ...ports, cards }, agentId, amountCents))) throw error;
      await begin();
    });
  } catch (error) {
    if (isNotDue(error)) return 'not_due';
    if (isMonthSpent(error)) {
      await market.commit([postponeRecharge(agentId, month.endsAt ?? isoTime(now), 'monthly_cap')]);
      return 'month_spent';
    }
    const closed = subsidyRefusal(error, now);
    if (closed !== null) {
      const seconds = closed.details.retryAfterSeconds ?? DAY_MS / SECOND_MS;
      const opensAt = isoTime(now + seconds * SECOND_MS);
      await market.commit([postponeRecharge(agentId, opensAt, closed.definition.code)]);
      return 'closed';
    }
    if (!hasNoHeadroom(error)) throw error;
    await market.commit([postponeRecharge(agentId, afterNoRoom(now), 'no_headroom')]);
    return 'no_headroom';
  }
  const status = await settle({ ...ports, cards }, topUp, { isFirstTry: true });
  return status === 'paid' ? 'charged' : status === 'open' ? 'under_way' : 'refused';
}
