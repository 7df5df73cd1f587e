import { type ErrorDefinition, Refusal } from '../../../kernel/errors.ts';
import type { PaymentFault, SettlementLimit } from '../../../kernel/ports/chain.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { usdcErrors } from './usdc.errors.ts';

const LIMITS: Readonly<Record<SettlementLimit, { error: ErrorDefinition; retryAfterSeconds: number }>> = {
  payer_reverted: { error: usdcErrors.payer_reverted, retryAfterSeconds: 24 * 3600 },
  payer_gas_spent: { error: usdcErrors.settlement_budget_spent, retryAfterSeconds: 3600 },
  network_gas_spent: { error: usdcErrors.settlement_budget_spent, retryAfterSeconds: 3600 },
  contract_gas_spent: { error: usdcErrors.contract_payer_limited, retryAfterSeconds: 3600 },
  gas_too_dear: { error: usdcErrors.gas_too_dear, retryAfterSeconds: 60 },
};

/** Why a good payment is not settled for now, before anything was charged. */
export function limitRefusal(
  limit: SettlementLimit,
  { retryAfterSeconds } = { retryAfterSeconds: LIMITS[limit].retryAfterSeconds },
): Refusal {
  return new Refusal(LIMITS[limit].error, { charged: false, retryAfterSeconds });
}

/** The platform's own trouble: an alarm, and never told as the payer's fault. `charged` is null where nobody knows. */
export function platformRefusal(
  { log }: Pick<Ports, 'log'>,
  reason: string,
  { charged = false, retryAfterSeconds = 30 }: { charged?: false | null; retryAfterSeconds?: number } = {},
): Refusal {
  log.error('platform_payment_unavailable', { reason });
  return new Refusal(usdcErrors.platform_payment_unavailable, { charged, retryAfterSeconds });
}

/** A payment that was not settled, where that is not for its payer to mend; null: it is. */
export function settlementRefusal(ports: Pick<Ports, 'log'>, fault: PaymentFault): Refusal | null {
  if (fault === 'unexpected_settle_error') return platformRefusal(ports, 'settlement_failed');
  return fault in LIMITS ? limitRefusal(fault as SettlementLimit) : null;
}
