import type { ClaimAnswer, ClaimRequest } from '../../kernel/ports/payment-claims.ts';
import { DAY_MS, type EpochMs } from '../../kernel/time.ts';

/** What is remembered of one payment. */
export interface PaymentClaim {
  readonly binding: string;
  /** Who works on it; null: nobody. */
  readonly holder: string | null;
  readonly until: EpochMs;
  readonly keptUntil: EpochMs;
}

/** By then the database alone knows what was sold for it. */
const KEPT_MS = DAY_MS;

/** One request at a time, and only for what the payment was first used for. */
export function decideClaim(
  known: PaymentClaim | null,
  { binding, holder, now, until }: ClaimRequest,
): { readonly answer: Exclude<ClaimAnswer, 'unavailable'>; readonly claim: PaymentClaim | null } {
  const earlier = known !== null && known.keptUntil > now ? known : null;
  if (earlier !== null && earlier.binding !== binding) return { answer: 'bound_elsewhere', claim: null };
  const isHeld = earlier !== null && earlier.holder !== null && earlier.until > now;
  if (isHeld && earlier.holder !== holder) return { answer: 'in_use', claim: null };
  return { answer: 'taken', claim: { binding, holder, until, keptUntil: now + KEPT_MS } };
}
