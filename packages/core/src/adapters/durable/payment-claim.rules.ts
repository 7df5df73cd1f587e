import type { ClaimAnswer, ClaimRequest } from '../../kernel/ports/payment-claims.ts';
import { DAY_MS, type EpochMs } from '../../kernel/time.ts';

/** The record of one payment. */
export interface PaymentClaim {
  readonly binding: string;
  /** The request that works on it, if any. */
  readonly holder: string | null;
  readonly until: EpochMs;
  readonly keptUntil: EpochMs;
}

/** After this the database alone prevents a second sale for the payment. */
const RETENTION_MS = DAY_MS;

/** Grants a payment to one request at a time, and only for the purchase it was first used for. */
export function decideClaim(
  known: PaymentClaim | null,
  { binding, holder, now, until }: ClaimRequest,
): { readonly answer: Exclude<ClaimAnswer, 'unavailable'>; readonly claim: PaymentClaim | null } {
  const earlier = known !== null && known.keptUntil > now ? known : null;
  if (earlier !== null && earlier.binding !== binding) return { answer: 'bound_elsewhere', claim: null };
  const isHeld = earlier !== null && earlier.holder !== null && earlier.until > now;
  if (isHeld && earlier.holder !== holder) return { answer: 'in_use', claim: null };
  return { answer: 'taken', claim: { binding, holder, until, keptUntil: now + RETENTION_MS } };
}
