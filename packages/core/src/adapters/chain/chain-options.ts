import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { NetworkName } from '@agent-marketplace/protocol/chain/networks.data.ts';
import type { PayoutTerms } from '../../kernel/ports/chain.ts';
import type { GasLimits } from './gas/gas-budget.rules.ts';

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
