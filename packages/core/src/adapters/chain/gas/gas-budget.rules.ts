import type { SettlementLimit } from '../../../kernel/ports/chain.ts';

/** What the relayer risks and pays for payers' transfers. Gas in units, over the last 24 hours. */
export interface GasLimits {
  /** The most that one transfer of a payer with code may be given. */
  readonly contractGas: bigint;
  readonly gasPerPayer: bigint;
  readonly gasPerNetwork: bigint;
  readonly gasInAll: bigint;
  /** The largest part of a price that its gas may cost, in percent. */
  readonly priceSharePercent: bigint;
  /** What one ether is taken to be worth, in cents. */
  readonly etherCents: bigint;
}

/** Who asks for a settlement. */
export interface GasPayer {
  /** Whether the payer's account runs code of its own. */
  readonly hasCode: boolean;
  /** Whether an earlier payment of this account was settled. */
  readonly hasPaid: boolean;
}

/** Gas that was lost to reverted transfers, or may be by those on their way. */
export interface GasAtRisk {
  readonly ofPayer: bigint;
  readonly ofNetwork: bigint;
  readonly inAll: bigint;
}

/** How long after a reverted transfer its payer is refused, and how long a lost unit of gas counts. */
export const GAS_WINDOW_MS = 24 * 3600_000;

/** Which budget has no room for another transfer of so much gas; null: all have. */
export function spentBudget(
  { hasCode, hasPaid }: GasPayer,
  gas: bigint,
  atRisk: GasAtRisk,
  limits: GasLimits,
): Exclude<SettlementLimit, 'payer_reverted' | 'gas_too_dear'> | null {
  if (atRisk.ofPayer + gas > limits.gasPerPayer) return 'payer_gas_spent';
  if (atRisk.ofNetwork + gas > limits.gasPerNetwork) return 'network_gas_spent';
  const isClosable = hasCode && !hasPaid;
  return isClosable && atRisk.inAll + gas > limits.gasInAll ? 'contract_gas_spent' : null;
}

const WEI_PER_ETHER = 10n ** 18n;
const UNITS_PER_CENT = 10_000n;

/** What gas costs, in units of the token. */
export function unitsOfGas(gas: bigint, weiPerGas: bigint, etherCents: bigint): bigint {
  return (gas * weiPerGas * etherCents * UNITS_PER_CENT) / WEI_PER_ETHER;
}

/** Whether the gas costs more than its share of the price, which is in units of the token. */
export function isGasTooDear(
  gas: bigint,
  weiPerGas: bigint,
  priceUnits: bigint,
  { priceSharePercent, etherCents }: GasLimits,
): boolean {
  return unitsOfGas(gas, weiPerGas, etherCents) * 100n > priceUnits * priceSharePercent;
}
