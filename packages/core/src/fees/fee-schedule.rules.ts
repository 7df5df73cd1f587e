import { DAY_MS, epochOf, type IsoTime } from '../kernel/time.ts';

/** The constants of one schedule (clause: Fee schedule). Rates are in basis points, amounts in cents. */
export interface FeeRates {
  /** Below it, sales are free of fees. */
  readonly microUnderCents: number;
  readonly standardBps: number;
  /** From it on, the high-ticket rate applies. */
  readonly highTicketAtCents: number;
  readonly highTicketBps: number;
  readonly highTicketFloorCents: number;
  readonly highTicketCapCents: number;
  readonly buyerBps: number;
  readonly listingBps: number;
}

/** A schedule as it was announced. Sales keep the version that they settled under. */
export interface FeeSchedule {
  readonly version: number;
  readonly announcedAt: IsoTime;
  readonly effectiveAt: IsoTime;
  readonly rates: FeeRates;
}

export type FeeBand = 'micro' | 'standard' | 'high_ticket';

const BPS = 10_000;

export function feeBand(rates: FeeRates, priceCents: number): FeeBand {
  if (priceCents < rates.microUnderCents) return 'micro';
  return priceCents < rates.highTicketAtCents ? 'standard' : 'high_ticket';
}

/** The platform's fee on a sale, in whole cents, rounded down in the seller's favour. */
export function platformFeeCents(rates: FeeRates, priceCents: number): number {
  switch (feeBand(rates, priceCents)) {
    case 'micro':
      return 0;
    case 'standard':
      return share(priceCents, rates.standardBps);
    case 'high_ticket': {
      const fee = share(priceCents, rates.highTicketBps);
      return Math.min(Math.max(fee, rates.highTicketFloorCents), rates.highTicketCapCents);
    }
  }
}

/** Sales that are parts of a larger one, and their fees. */
export interface Slices {
  readonly amountCents: number;
  readonly feeCents: number;
}

/** The fee on one more slice: together with those before it, a large sale in a thousand slices pays the fee of a large sale. */
export function feeOfSliceCents(rates: FeeRates, amountCents: number, earlier: Slices): number {
  const dueCents = platformFeeCents(rates, earlier.amountCents + amountCents) - earlier.feeCents;
  return Math.min(Math.max(dueCents, 0), amountCents);
}

/** Exact while price × rate stays below 2^53: prices end at 10^9 cents. */
function share(priceCents: number, bps: number): number {
  return Math.floor((priceCents * bps) / BPS);
}

export interface ChangeTerms {
  readonly lockUntil: IsoTime;
  readonly noticeDays: number;
}

/**
 * Checks that a history of schedules keeps what was promised: versions count from 1, each change takes
 * effect no earlier than the lock date and its notice allows, and in order. Throws what is broken, so
 * that a deployment with a broken promise in it does not start.
 */
export function requireFairHistory(history: readonly FeeSchedule[], terms: ChangeTerms): void {
  for (const [index, schedule] of history.entries()) {
    const name = `Fee schedule ${schedule.version}`;
    if (schedule.version !== index + 1) throw new Error(`${name} is not number ${index + 1} in the history.`);
    const previous = history[index - 1];
    if (previous === undefined) continue;
    if (epochOf(schedule.effectiveAt) < epochOf(terms.lockUntil)) {
      throw new Error(`${name} would take effect before ${terms.lockUntil}, until when rates are locked.`);
    }
    const noticeMs = epochOf(schedule.effectiveAt) - epochOf(schedule.announcedAt);
    if (noticeMs < terms.noticeDays * DAY_MS) {
      throw new Error(`${name} would take effect with less than ${terms.noticeDays} days' notice.`);
    }
    if (schedule.effectiveAt <= previous.effectiveAt)
      throw new Error(`${name} is not later than the one before.`);
  }
}

/** The schedule that a sale made now settles under. */
export function scheduleAt(history: readonly FeeSchedule[], nowMs: number): FeeSchedule {
  const inForce = history.filter(({ effectiveAt }) => epochOf(effectiveAt) <= nowMs).at(-1) ?? history[0];
  if (!inForce) throw new Error('There is no fee schedule.');
  return inForce;
}
