import type { ChainToken } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';

/** USDC on one network. This client pays with nothing else. */
export interface KnownToken extends ChainToken {
  /** The network's name in x402 version 1; version 2 calls it `eip155:<chainId>`. */
  readonly network: string;
}

export const KNOWN_TOKENS: readonly KnownToken[] = Object.entries(USDC).map(([network, token]) => ({
  network,
  ...token,
}));
