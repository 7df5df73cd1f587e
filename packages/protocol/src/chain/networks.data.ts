import type { ChainToken } from './chain-token.ts';

export type NetworkName = 'base' | 'base-sepolia';

/** USDC as its issuer deployed it; the names are what its EIP-712 domain says, which differ. */
export const USDC: Readonly<Record<NetworkName, ChainToken>> = {
  base: {
    chainId: 8453,
    address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    name: 'USD Coin',
    version: '2',
  },
  'base-sepolia': {
    chainId: 84532,
    address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    name: 'USDC',
    version: '2',
  },
};
