import type { ChainToken, Hex, PayoutTerms } from '../../kernel/ports/chain.ts';
import type { GasLimits } from './gas/gas-budget.rules.ts';
import type { NetworkName } from './networks.data.ts';

export interface ChainOptions {
  readonly network: NetworkName;
  readonly token: ChainToken;
  readonly rpcUrl: string;
  readonly payTo: Hex;
  readonly confirmations: number;
  readonly walletFactories: readonly Hex[];
  readonly logRange: number;
  readonly minCents: number;
  readonly payoutTerms: PayoutTerms;
  readonly gas: GasLimits;
  /** Settles payers' transfers in place of the platform's own relayer. */
  readonly facilitator: { readonly url: string; readonly token: string | null } | null;
}
