import type { Ports } from '../../kernel/ports/ports.ts';
import type { EpochMs } from '../../kernel/time.ts';
import { type ClosedRail, closedByCostFor } from '../../subsidies/index.ts';
import { LIMITED_RAILS, type LimitedRail, railLimits } from './rail-limits.ts';

/** Whoever names these is refused. Where nobody takes USDC, nobody is asked for it: `x402Path` is null. */
const BY_NAME: ReadonlySet<LimitedRail> = new Set(['checkout', 'card']);

type Sold = Parameters<typeof closedByCostFor>[1];
type Buyer = Parameters<typeof closedByCostFor>[2];

/** The rails by which nobody, or not this buyer, can pay a price now: by their limits, else by their cost. */
export async function closedRailsFor(
  ports: Pick<Ports, 'market' | 'subsidies' | 'cards' | 'chain'>,
  sold: Sold,
  buyer: Buyer,
  now: EpochMs,
): Promise<ClosedRail[]> {
  if (sold.priceCents === 0) return [];
  const byCost = await closedByCostFor(ports, sold, buyer, now);
  return LIMITED_RAILS.flatMap((rail) => {
    const reason = amountFault(rail, ports, sold.priceCents);
    return reason === null ? byCost.filter((one) => one.rail === rail) : [{ opensAt: null, rail, reason }];
  });
}

function amountFault(
  rail: LimitedRail,
  ports: Parameters<typeof railLimits>[1],
  priceCents: number,
): 'price_too_large' | 'price_too_small' | 'unavailable' | null {
  const limits = railLimits(rail, ports);
  if (limits === null) return BY_NAME.has(rail) ? 'unavailable' : null;
  if (priceCents < limits.minCents) return 'price_too_small';
  return priceCents > limits.maxCents ? 'price_too_large' : null;
}
