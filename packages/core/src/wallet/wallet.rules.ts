import type { CheckoutSession, Payment } from '../kernel/ports/card-processor.ts';
import { DAY_MS, type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime, MINUTE_MS } from '../kernel/time.ts';

/** Per top-up (clause: Limits). */
export const TOP_UP_MIN_CENTS = 1000;
export const TOP_UP_MAX_CENTS = 50_000;

/** How long a checkout page can be paid; the processor allows no less than half an hour. */
export const CHECKOUT_LIFETIME_MS = HOUR_MS;
/** Until then the request that opened a top-up is still working on it: nobody else may settle it. */
export const FIRST_CHECK_MS = MINUTE_MS;
/** Nobody reported that the page was paid: the report may have been lost. */
export const OPEN_CHECK_MS = 10 * MINUTE_MS;
/** Between checks of a top-up whose processor does not answer. */
export const NEXT_CHECK_MS = 5 * MINUTE_MS;
/** The processor forgets keys after a day; asking again later could charge twice. */
const KEYS_REMEMBERED_MS = DAY_MS - HOUR_MS;

/** Refusals of a saved card in a row until auto-recharge is turned off. */
const RECHARGE_TRIES = 3;
const RECHARGE_RETRY_MS = HOUR_MS;

/** What of a top-up stays the same. */
export interface TopUpTerms {
  readonly id: string;
  readonly amountCents: number;
  readonly createdAt: IsoTime;
}

export type TopUpVerdict =
  | { readonly kind: 'pending' }
  /** `instrument`: the card that paid; null where the processor does not say. */
  | { readonly kind: 'paid'; readonly paymentId: string; readonly instrument: string | null }
  | { readonly kind: 'expired' }
  | { readonly kind: 'failed'; readonly failure: string }
  /** The processor's object is not what was asked for: somebody has to look. Nothing is credited. */
  | { readonly kind: 'mismatch' };

/** The money went back to where it came from. */
export const PAYMENT_RETURNED = 'payment_returned';

/** What a payment means for the top-up it is said to pay. */
export function verdictOfPayment(topUp: TopUpTerms, payment: Payment): TopUpVerdict {
  const { reference, capturedCents, refundedCents } = payment;
  if (reference?.kind !== 'top_up' || reference.id !== topUp.id) return { kind: 'mismatch' };
  switch (payment.status) {
    case 'requires_payment':
    case 'authorized':
      return { kind: 'pending' };
    case 'canceled':
      return { kind: 'failed', failure: 'payment_canceled' };
    case 'captured':
      if (capturedCents !== topUp.amountCents) return { kind: 'mismatch' };
      if (refundedCents === capturedCents) return { kind: 'failed', failure: PAYMENT_RETURNED };
      if (refundedCents !== 0) return { kind: 'mismatch' };
      return { kind: 'paid', paymentId: payment.paymentId, instrument: payment.cardFingerprint };
  }
}

/** The same of a checkout page, whose payment is given once somebody paid. */
export function verdictOfCheckout(
  topUp: TopUpTerms,
  session: CheckoutSession,
  payment: Payment | null,
): TopUpVerdict {
  const { reference, amountCents } = session;
  if (reference?.kind !== 'top_up' || reference.id !== topUp.id) return { kind: 'mismatch' };
  if (amountCents !== topUp.amountCents) return { kind: 'mismatch' };
  if (session.status === 'expired') return { kind: 'expired' };
  return payment === null ? { kind: 'pending' } : verdictOfPayment(topUp, payment);
}

/**
 * Whether a checkout top-up has no page that anybody could pay: its address was lost on the way, with the
 * request that asked for it.
 */
export function hasNoPage(topUp: TopUpTerms & { sessionId: string | null }, now: EpochMs): boolean {
  return topUp.sessionId === null && now - epochOf(topUp.createdAt) >= FIRST_CHECK_MS;
}

/** Whether a request that opened a top-up broke off before there was a page, so that a retry goes on with it. */
export function isUnfinished(
  topUp: { readonly agentId: string; readonly amountCents: number; status: string; sessionId: string | null },
  request: { readonly agentId: string; readonly amountCents: number },
): boolean {
  const isSame = topUp.agentId === request.agentId && topUp.amountCents === request.amountCents;
  return isSame && topUp.status === 'open' && topUp.sessionId === null;
}

/** Whether the processor still knows the idempotency key of the charge: without it a retry could charge twice. */
export function canRetryCharge({ createdAt }: TopUpTerms, now: EpochMs): boolean {
  return now - epochOf(createdAt) < KEYS_REMEMBERED_MS;
}

/** Which open pages give way to what is short of room: the oldest first; none if all of them would not suffice. */
export function pagesToClose<Page extends { readonly amountCents: number }>(
  oldestFirst: readonly Page[],
  shortCents: number,
): Page[] {
  const closed: Page[] = [];
  let missingCents = shortCents;
  for (const page of oldestFirst) {
    if (missingCents <= 0) break;
    closed.push(page);
    missingCents -= page.amountCents;
  }
  return missingCents <= 0 ? closed : [];
}

export interface RechargeSetback {
  readonly enabled: boolean;
  readonly state: 'idle' | 'due';
  readonly at: IsoTime | null;
  readonly failures: number;
  readonly problem: string;
}

/** Refusals that only a person can do something about. */
const NEEDS_A_PERSON: ReadonlySet<string> = new Set(['authentication_required', 'outcome_unknown']);

/** After a saved card was refused: once more in an hour or two, or no more. */
export function afterRefusal(problem: string, failuresBefore: number, now: EpochMs): RechargeSetback {
  const failures = failuresBefore + 1;
  if (failures >= RECHARGE_TRIES || NEEDS_A_PERSON.has(problem)) {
    return { enabled: false, state: 'idle', at: null, failures, problem };
  }
  return { enabled: true, state: 'due', at: isoTime(now + failures * RECHARGE_RETRY_MS), failures, problem };
}

/** When a wallet that has no room for a recharge is checked again. */
export function afterNoRoom(now: EpochMs): IsoTime {
  return isoTime(now + RECHARGE_RETRY_MS);
}
