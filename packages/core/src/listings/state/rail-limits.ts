import type { Ports } from '../../kernel/ports/ports.ts';
import { WALLET_CAP_CENTS } from '../../ledger/index.ts';

export interface AmountLimits {
  readonly minCents: number;
  readonly maxCents: number;
}

type LimitPorts = Pick<Ports, 'cards' | 'chain'>;

const byCard = ({ cards }: LimitPorts): AmountLimits | null => cards?.chargeLimits ?? null;

const LIMITS = {
  checkout: byCard,
  card: byCard,
  wallet: () => ({ minCents: 0, maxCents: WALLET_CAP_CENTS }),
  x402: ({ chain }: LimitPorts) =>
    chain === null ? null : { minCents: chain.minCents, maxCents: Number.MAX_SAFE_INTEGER },
} as const satisfies Readonly<Record<string, (ports: LimitPorts) => AmountLimits | null>>;

/** The rails that take no amount whatever, in the order in which they are shown. */
export const LIMITED_RAILS = Object.keys(LIMITS) as readonly LimitedRail[];

export type LimitedRail = keyof typeof LIMITS;

/** The amounts that a rail takes at a time, as configured. Null: this deployment has nothing that it is paid through. */
export function railLimits(rail: LimitedRail, ports: LimitPorts): AmountLimits | null {
  return LIMITS[rail](ports);
}
