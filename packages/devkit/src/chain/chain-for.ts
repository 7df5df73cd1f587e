import { join } from 'node:path';
import { type LocalChain, startLocalChain } from './local-chain.ts';

export interface ChainOfMarketplace {
  /** Null if the environment names another chain. */
  readonly local: LocalChain | null;
  readonly variables: Readonly<Record<string, string>>;
}

const VARIABLES = [
  'X402_NETWORK',
  'X402_RPC_URL',
  'X402_PAY_TO',
  'X402_RELAYER_KEY',
  'X402_CONFIRMATIONS',
  'X402_WALLET_FACTORIES',
  'X402_LOG_RANGE',
  'X402_MIN_CENTS',
  'X402_CONTRACT_GAS',
  'X402_GAS_PER_PAYER',
  'X402_GAS_PER_NETWORK',
  'X402_GAS_IN_ALL',
  'X402_GAS_SHARE_PERCENT',
  'X402_ETHER_CENTS',
  'X402_FACILITATOR_URL',
  'X402_FACILITATOR_TOKEN',
];

/** Idle blocks are stored too, so there should be few. */
const BLOCK_SECONDS = 10;

/**
 * X402_RPC_URL and its variables in the environment replace the local chain. The local chain's state is
 * stored with the Workers' state, which refers to it.
 */
export async function chainFor(stateDir: string): Promise<ChainOfMarketplace> {
  if (process.env.X402_RPC_URL) {
    return { local: null, variables: fromEnvironment(VARIABLES) };
  }
  const local = await startLocalChain({ stateDir: join(stateDir, 'chain'), blockSeconds: BLOCK_SECONDS });
  return { local, variables: { ...local.variables, X402_RELAYER_KEY: local.relayerKey } };
}

function fromEnvironment(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
