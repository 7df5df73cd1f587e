import { type GasState, type PayoutTerms, UNITS_PER_CENT } from '../../kernel/ports/chain.ts';
import { DAY_MS, type EpochMs, epochOf, HOUR_MS, type IsoTime, isoTime } from '../../kernel/time.ts';

/** As many as one transaction of the database takes well: a payout of so many sales waits for no more. */
export const SALES_OF_A_PAYOUT = 25;

/** How often those that wait are looked at again, as gas may have become cheaper. */
const LOOK_MS = 6 * HOUR_MS;

export interface GatheredPayout {
  readonly amountCents: number;
  readonly sales: number;
  /** When the first of its sales waits no longer. */
  readonly waitsUntil: IsoTime;
}

/** Whether a payout goes now: it covers its gas, it is full, it waited long enough, or nobody knows what gas costs. */
export function isPayoutReady(
  { amountCents, sales, waitsUntil }: GatheredPayout,
  gas: Pick<GasState, 'payoutUnits'> | null,
  { gasSharePercent }: Pick<PayoutTerms, 'gasSharePercent'>,
  now: EpochMs,
): boolean {
  if (gas === null || sales >= SALES_OF_A_PAYOUT || waitsUntil <= isoTime(now)) return true;
  return gas.payoutUnits * 100n <= BigInt(amountCents) * UNITS_PER_CENT * BigInt(gasSharePercent);
}

/** What a payout costs its seller that bears its gas, in whole cents; null: nothing would be left of it. */
export function borneGasCents(
  { amountCents }: Pick<GatheredPayout, 'amountCents'>,
  { payoutUnits }: Pick<GasState, 'payoutUnits'>,
): number | null {
  const cents = Number((payoutUnits + UNITS_PER_CENT - 1n) / UNITS_PER_CENT);
  return cents < amountCents ? cents : null;
}

/** Until when a sale waits for more, counted from when its money was due. */
export function gatheredUntil(dueSince: IsoTime, { waitDays }: Pick<PayoutTerms, 'waitDays'>): IsoTime {
  return isoTime(epochOf(dueSince) + waitDays * DAY_MS);
}

/** When a sale that waits is looked at again. */
export function nextLook(waitsUntil: IsoTime, now: EpochMs): IsoTime {
  const next = isoTime(now + LOOK_MS);
  return next < waitsUntil ? next : waitsUntil;
}
