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
  /** To sellers that are one party neither with the buyer nor with this seller. */
  readonly paidElsewhereCents: number;
  /** Whether it paid for anything of somebody who is not its own party. */
  readonly hasPaidOthers: boolean;
  readonly isSameParty: boolean;
  /** Whether the buyer paid another seller, and the seller was paid by another buyer, who is one party with neither. */
  readonly hasOtherSeller: boolean;
  readonly hasOtherBuyer: boolean;
  /** The first-time buyers that this seller has of that day already. */
  readonly firstTimers: number;
}

export type BuyerWeight = Pick<
  BuyerToWeigh,
  'sellerId' | 'buyer' | 'weight' | 'isSameParty' | 'hasOtherSeller' | 'hasOtherBuyer'
>;

/** The weights of these buyers. Whoever paid nobody but itself weighs nothing. First-time buyers share the places of their day, in the order of the list. */
export function weighAll(buyers: readonly BuyerToWeigh[]): BuyerWeight[] {
  const taken = new Map<string, number>();
  const weightOf = (pair: BuyerToWeigh): number => {
    if (pair.isSameParty || !pair.hasPaidOthers) return 0;
    const weight = weighBuyer(pair.paidElsewhereCents);
    if (weight > FIRST_TIME_WEIGHT || pair.weight === FIRST_TIME_WEIGHT) return weight;
    const place = `${pair.sellerId} ${pair.firstDay}`;
    const already = taken.get(place) ?? pair.firstTimers;
    const isLeft = already < FIRST_TIME_BUYERS_PER_DAY;
    if (isLeft) taken.set(place, already + 1);
    return isLeft ? weight : 0;
  };
  return buyers.map((pair) => {
    const { sellerId, buyer, isSameParty, hasOtherSeller, hasOtherBuyer } = pair;
    return { sellerId, buyer, weight: weightOf(pair), isSameParty, hasOtherSeller, hasOtherBuyer };
  });
}
