import { Refusal } from '../../../kernel/errors.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { dayOf, type EpochMs, isoTime } from '../../../kernel/time.ts';
import { paymentErrors } from '../../payment.errors.ts';
import { railOf } from '../../rails/rails.ts';
import type { Sale } from '../../sale.ts';
import { deleteSubsidies, insertSubsidy, requireRoomIn, spentPeriod } from './subsidies.store.ts';
import { secondsUntilRenewed, subsidyLimits } from './subsidy.rules.ts';

export type SubsidyPorts = Pick<Ports, 'subsidies' | 'clock'>;

/** What a sale's payment costs beyond the platform's fee, and the limits it must fit in; null: the fee covers it, or it is borne. */
function subsidyOf({ subsidies: terms, clock }: SubsidyPorts, sale: Sale) {
  const { cost } = railOf(sale);
  if (cost === null || sale.amountCents >= terms.borneFromCents) return null;
  const cents = cost.worstCents(terms, sale.amountCents) - sale.platformFeeCents;
  if (cents <= 0) return null;
  const parties = [sale.sellerId, sale.buyerId].filter((id) => id !== null);
  const at = isoTime(clock.now());
  const limits = subsidyLimits(terms, cost.budget, parties, at);
  // No time brings room for it.
  if (limits.some(({ limitCents }) => cents > limitCents))
    throw new Refusal(paymentErrors.cost_not_borne, { charged: false });
  return { cents, day: dayOf(at), limits };
}

/** Aborts where the budgets have no room for a sale: what a person would pay is not asked for then. */
export function requireSubsidy(ports: SubsidyPorts, sale: Sale): Statement[] {
  const subsidy = subsidyOf(ports, sale);
  if (subsidy === null) return [];
  const { cents, day, limits } = subsidy;
  return limits.map((limit) => requireRoomIn(limit, { cents, day }));
}

/** The same, and what the sale costs is spent; written with whatever takes its unit of the listing. */
export function takeSubsidy(ports: SubsidyPorts, sale: Sale): Statement[] {
  const subsidy = subsidyOf(ports, sale);
  if (subsidy === null) return [];
  const { cents, day, limits } = subsidy;
  const scopes = [...new Set(limits.map(({ scope }) => scope))];
  return [
    ...requireSubsidy(ports, sale),
    ...scopes.map((scope) => insertSubsidy({ purchaseId: sale.id, scope, day, cents })),
  ];
}

/** Nothing was charged: what was counted for it is free again. */
export function giveSubsidyBack(sale: Pick<Sale, 'id' | 'rail' | 'amountCents'>): Statement[] {
  return railOf(sale).cost === null ? [] : [deleteSubsidies(sale.id)];
}

/** Why a payment is not taken, where a budget is the reason; null: it is not. */
export function subsidyRefusal(error: unknown, now: EpochMs): Refusal | null {
  if (error instanceof Refusal && error.definition === paymentErrors.cost_not_borne) return error;
  const period = spentPeriod(error);
  if (period === null) return null;
  const retryAfterSeconds = secondsUntilRenewed(period, now);
  return new Refusal(paymentErrors.subsidy_spent, { charged: false, retryAfterSeconds });
}
