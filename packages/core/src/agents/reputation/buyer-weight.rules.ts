import { FULL_WEIGHT } from '../reputation.rules.ts';

/** What a buyer weighs of whom nobody else was paid yet. */
export const FIRST_TIME_WEIGHT = 100;
/** For one seller and day: more first-time buyers than that weigh nothing. */
export const FIRST_TIME_BUYERS_PER_DAY = 10;
/** For each tenfold of what was paid. */
const WEIGHT_PER_DECADE = 300;

/**
 * The weight of a buyer at one seller, in thousandths: 0.1 + 0.3 × log10(1 + dollars paid to others), in whole tenths, up
 * to 1 at $999. Money paid to this seller does not count, as a seller that buys from itself has it back.
 */
export function weighBuyer(paidElsewhereCents: number): number {
  const weight = FIRST_TIME_WEIGHT + WEIGHT_PER_DECADE * Math.log10(1 + paidElsewhereCents / 100);
  // A sum of exactly ten dollars must not fall below its step by a rounding error.
  return Math.min(FULL_WEIGHT, Math.floor((weight + 1e-6) / FIRST_TIME_WEIGHT) * FIRST_TIME_WEIGHT);
}

export interface BuyerToWeigh {
  readonly sellerId: string;
  readonly buyer: string;
  /** When the seller first had to do with this buyer. */
  readonly firstDay: string;
  readonly weight: number;
  readonly paidElsewhereCents: number;
  /** The first-time buyers that this seller has of that day already. */
  readonly firstTimers: number;
}

export interface BuyerWeight {
  readonly sellerId: string;
  readonly buyer: string;
  readonly weight: number;
}

/** The weights of these buyers. First-time buyers share the places of their day, in the order of the list. */
export function weighAll(buyers: readonly BuyerToWeigh[]): BuyerWeight[] {
  const taken = new Map<string, number>();
  return buyers.map(({ sellerId, buyer, firstDay, weight: before, paidElsewhereCents, firstTimers }) => {
    const weight = weighBuyer(paidElsewhereCents);
    if (weight > FIRST_TIME_WEIGHT || before === FIRST_TIME_WEIGHT) return { sellerId, buyer, weight };
    const place = `${sellerId} ${firstDay}`;
    const already = taken.get(place) ?? firstTimers;
    const isLeft = already < FIRST_TIME_BUYERS_PER_DAY;
    if (isLeft) taken.set(place, already + 1);
    return { sellerId, buyer, weight: isLeft ? weight : 0 };
  });
}
