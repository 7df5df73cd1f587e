import type { Hex } from '@agent-marketplace/core/kernel/ports/chain.ts';

/** USDC on one network. This client pays with nothing else. */
export interface KnownToken {
  /** The network's name in x402 version 1; version 2 calls it `eip155:<chainId>`. */
  readonly network: string;
  readonly chainId: number;
  readonly address: Hex;
  /** Of the token's EIP-712 domain. */
  readonly name: string;
  readonly version: string;
}

export const KNOWN_TOKENS: readonly KnownToken[] = [
  {
    network: 'base',
    chainId: 8453,
    address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    name: 'USD Coin',
    version: '2',
  },
  {
    network: 'base-sepolia',
    chainId: 84532,
    address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    name: 'USDC',
    version: '2',
  },
];
