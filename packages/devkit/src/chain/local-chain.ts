import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { USDC } from '@agent-marketplace/core/adapters/chain/networks.data.ts';
import { MULTICALL_ADDRESS } from '@agent-marketplace/core/adapters/chain/token-calls.ts';
import { privateKeyToAccount } from 'viem/accounts';
import { startAnvil } from './anvil.ts';
import { type ChainControl, createChainControl, type Hex } from './control.ts';
import { CONTRACTS } from './generated/contracts.ts';

export interface LocalChainOptions {
  /** Where its state lies between runs; null keeps it in memory. */
  readonly stateDir: string | null;
  /** Beside a block for each transaction, one every so many seconds: otherwise time stands still in between. */
  readonly blockSeconds?: number;
}

export interface LocalChain {
  /** The value of X402_RPC_URL. */
  readonly url: string;
  readonly control: ChainControl;
  /** What Workers need to use the chain, but for the relayer's key. */
  readonly variables: Readonly<Record<string, string>>;
  /** Where payers' USDC goes: the relayer's address. */
  readonly payTo: Hex;
  /** For the one Worker that keeps the relayer. */
  readonly relayerKey: Hex;
  close(): Promise<void>;
}

/** The first account of every local chain. It has gas from the start. */
const RELAYER_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** Deploys smart wallets; the marketplace takes those of the first. */
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

/** In which the state is written down while it runs: an end that comes unasked loses no more. */
const STATE_EVERY_SECONDS = '5';

/**
 * Base on this machine: its chain id, and at USDC's own address a token that behaves alike, of which anyone
 * may mint. It listens on the loopback address only.
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
      // What was kept may be old, and calls are answered by the time of the last block.
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
      },
      close: anvil.close,
    };
  } catch (error) {
    await anvil.close();
    throw error;
  }
}
