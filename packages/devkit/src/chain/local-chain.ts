import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MULTICALL_ADDRESS } from '@agent-marketplace/core/adapters/chain/token-calls.ts';
import { USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';
import { privateKeyToAccount } from 'viem/accounts';
import { startAnvil } from './anvil.ts';
import { type ChainControl, createChainControl, type Hex } from './control.ts';
import { CONTRACTS } from './generated/contracts.ts';

export interface LocalChainOptions {
  /** The folder for its state; null keeps it in memory. */
  readonly stateDir: string | null;
  /** Mines a block at this interval as well: otherwise time would stop between transactions. */
  readonly blockSeconds?: number;
}

export interface LocalChain {
  /** The value of X402_RPC_URL. */
  readonly url: string;
  readonly control: ChainControl;
  /** The variables that Workers need for the chain, without the relayer's key. */
  readonly variables: Readonly<Record<string, string>>;
  /** The relayer's address, which receives the USDC. */
  readonly payTo: Hex;
  /** Only for the Worker with the relayer. */
  readonly relayerKey: Hex;
  close(): Promise<void>;
}

/** The first account of every local chain, which has gas. */
const RELAYER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** Factories of smart wallets; the marketplace accepts only the first. */
export const WALLET_FACTORIES = {
  known: '0x00000000000000000000000000000000000fac01',
  unknown: '0x00000000000000000000000000000000000fac02',
} as const;

const CODE: readonly (readonly [address: Hex, code: Hex])[] = [
  [USDC.base.address, CONTRACTS.Usdc],
  [MULTICALL_ADDRESS, CONTRACTS.Multicall],
  [WALLET_FACTORIES.known, CONTRACTS.WalletFactory],
  [WALLET_FACTORIES.unknown, CONTRACTS.WalletFactory],
];

/** The interval of writing the state: a crash loses no more. */
const STATE_EVERY_SECONDS = '5';

/**
 * Base on this machine: its chain id, and at USDC's address a similar token that anyone can mint. It listens
 * on the loopback address only.
 */
export async function startLocalChain(options: LocalChainOptions): Promise<LocalChain> {
  const { stateDir, blockSeconds } = options;
  if (stateDir) await mkdir(stateDir, { recursive: true });
  const anvil = await startAnvil([
    ...['--chain-id', String(USDC.base.chainId)],
    ...(stateDir ? ['--state', join(stateDir, 'chain.json'), '--state-interval', STATE_EVERY_SECONDS] : []),
    ...(blockSeconds ? ['--block-time', String(blockSeconds), '--mixed-mining'] : []),
  ]);
  try {
    const control = createChainControl(anvil.url);
    await control.rpc([
      ...CODE.map(([address, code]) => ['anvil_setCode', [address, code]] as const),
      // The stored state may be old, and calls use the time of the last block.
      ['evm_mine', []],
    ]);
    const payTo = privateKeyToAccount(RELAYER_KEY).address;
    return {
      url: anvil.url,
      control,
      payTo,
      relayerKey: RELAYER_KEY,
      variables: {
        X402_NETWORK: 'base',
        X402_RPC_URL: anvil.url,
        X402_PAY_TO: payTo,
        X402_WALLET_FACTORIES: WALLET_FACTORIES.known,
        // A hundred times Base's gas price is asked for here, so its ether is worth as much less.
        X402_ETHER_CENTS: '100',
      },
      close: anvil.close,
    };
  } catch (error) {
    await anvil.close();
    throw error;
  }
}
