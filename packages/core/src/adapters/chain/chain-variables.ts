import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { type NetworkName, USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';
import { privateKeyToAddress } from 'viem/accounts';
import type { ChainOptions } from './chain-options.ts';
import type { GasLimits } from './gas/gas-budget.rules.ts';
import { isKnownTestKey } from './test-keys.ts';

/** The variables and secrets about the chain, as text. */
export interface ChainVariables {
  /** `base` (default) or `base-sepolia`. */
  readonly X402_NETWORK?: string;
  /** A node's JSON-RPC endpoint; without it nothing is paid in USDC. */
  readonly X402_RPC_URL?: string;
  /** Where payers' USDC goes; the relayer's own address if not set. */
  readonly X402_PAY_TO?: string;
  readonly X402_FACILITATOR_URL?: string;
  readonly X402_FACILITATOR_TOKEN?: string;
  /** The relayer's private key, 0x and 64 hex digits. Only the Worker that hosts the relayer's object has it. */
  readonly X402_RELAYER_KEY?: string;
  readonly X402_CONFIRMATIONS?: string;
  readonly X402_WALLET_FACTORIES?: string;
  readonly X402_LOG_RANGE?: string;
  /** Listings below it are not sold over x402; 1 by default. */
  readonly X402_MIN_CENTS?: string;
  readonly X402_CONTRACT_GAS?: string;
  readonly X402_GAS_PER_PAYER?: string;
  readonly X402_GAS_PER_NETWORK?: string;
  readonly X402_GAS_IN_ALL?: string;
  readonly X402_GAS_SHARE_PERCENT?: string;
  readonly X402_ETHER_CENTS?: string;
  readonly X402_PAYOUT_GAS_PERCENT?: string;
  readonly X402_PAYOUT_WAIT_DAYS?: string;
}

/** Coinbase Smart Wallet, its two versions. */
const DEFAULT_FACTORIES =
  '0x0ba5ed0c6aa8c49038f819e587e2633c4a9f428a,0xba5ed110efdba3d005bfc882d75358acbbb85842';
const DEFAULT_LOG_RANGE = 2000;
const GAS_DEFAULTS = {
  /** A deployed smart wallet with a passkey takes half of it. */
  X402_CONTRACT_GAS: 400_000,
  /** Some 40 transfers of an ordinary account, on their way or reverted. */
  X402_GAS_PER_PAYER: 5_000_000,
  X402_GAS_PER_NETWORK: 20_000_000,
  /** At Base's usual 0.01 gwei, some dollars a day. */
  X402_GAS_IN_ALL: 100_000_000,
  X402_GAS_SHARE_PERCENT: 50,
  X402_ETHER_CENTS: 400_000,
} as const;

/** Null: no chain is configured. Throws where the variables contradict each other. */
export function readChainOptions(variables: ChainVariables): ChainOptions | null {
  const { X402_RPC_URL, X402_FACILITATOR_URL, X402_FACILITATOR_TOKEN } = variables;
  if (!X402_RPC_URL) {
    for (const name of ['X402_PAY_TO', 'X402_FACILITATOR_URL', 'X402_RELAYER_KEY'] as const) {
      if (variables[name]) throw new Error(`${name} is set, but X402_RPC_URL is not.`);
    }
    return null;
  }
  const network = networkOf(variables.X402_NETWORK || 'base');
  const relayerKey = readRelayerKey(variables);
  const payTo = variables.X402_PAY_TO
    ? addressOf('X402_PAY_TO', variables.X402_PAY_TO)
    : relayerKey && privateKeyToAddress(relayerKey);
  if (!payTo) throw new Error('X402_PAY_TO is not set: the address that payers send USDC to.');
  if (X402_FACILITATOR_TOKEN && !X402_FACILITATOR_URL) {
    throw new Error('X402_FACILITATOR_TOKEN is set, but X402_FACILITATOR_URL is not.');
  }
  const url = X402_FACILITATOR_URL && urlOf('X402_FACILITATOR_URL', X402_FACILITATOR_URL);
  return {
    network,
    token: USDC[network],
    rpcUrl: urlOf('X402_RPC_URL', X402_RPC_URL),
    payTo: payTo.toLowerCase() as Hex,
    confirmations: countOf('X402_CONFIRMATIONS', variables.X402_CONFIRMATIONS, 1),
    walletFactories: (variables.X402_WALLET_FACTORIES ?? DEFAULT_FACTORIES)
      .split(',')
      .filter((text) => text.trim() !== '')
      .map((text) => addressOf('X402_WALLET_FACTORIES', text.trim())),
    logRange: countOf('X402_LOG_RANGE', variables.X402_LOG_RANGE, DEFAULT_LOG_RANGE),
    minCents: countOf('X402_MIN_CENTS', variables.X402_MIN_CENTS, 1),
    payoutTerms: {
      gasSharePercent: countOf('X402_PAYOUT_GAS_PERCENT', variables.X402_PAYOUT_GAS_PERCENT, 10),
      waitDays: countOf('X402_PAYOUT_WAIT_DAYS', variables.X402_PAYOUT_WAIT_DAYS, 7),
    },
    gas: readGasLimits(variables),
    facilitator: url ? { url, token: X402_FACILITATOR_TOKEN || null } : null,
  };
}

function readGasLimits(variables: ChainVariables): GasLimits {
  const read = (name: keyof typeof GAS_DEFAULTS) =>
    BigInt(countOf(name, variables[name], GAS_DEFAULTS[name]));
  return {
    contractGas: read('X402_CONTRACT_GAS'),
    gasPerPayer: read('X402_GAS_PER_PAYER'),
    gasPerNetwork: read('X402_GAS_PER_NETWORK'),
    gasInAll: read('X402_GAS_IN_ALL'),
    priceSharePercent: read('X402_GAS_SHARE_PERCENT'),
    etherCents: read('X402_ETHER_CENTS'),
  };
}

/** The keys of local chains, whose nodes are on this machine, are known to everyone: on any other they are refused. */
export function readRelayerKey({ X402_RELAYER_KEY, X402_RPC_URL }: ChainVariables): Hex | null {
  if (!X402_RELAYER_KEY) return null;
  if (!/^0x[0-9a-fA-F]{64}$/.test(X402_RELAYER_KEY) || /^0x0+$/.test(X402_RELAYER_KEY)) {
    throw new Error('The secret X402_RELAYER_KEY is not 0x and 64 hexadecimal digits.');
  }
  if (X402_RPC_URL?.startsWith('https://') && isKnownTestKey(X402_RELAYER_KEY as Hex)) {
    throw new Error('X402_RELAYER_KEY is a public test key: anybody can take what it receives.');
  }
  return X402_RELAYER_KEY as Hex;
}

function networkOf(name: string): NetworkName {
  if (name === 'base' || name === 'base-sepolia') return name;
  throw new Error('X402_NETWORK is neither base nor base-sepolia.');
}

function addressOf(name: string, text: string): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text) || /^0x0+$/.test(text)) throw new Error(`${name} is not an address.`);
  return text.toLowerCase() as Hex;
}

function urlOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1' || url?.hostname === '[::1]';
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal))) {
    throw new Error(`${name} is not an https URL (http is for this machine only).`);
  }
  return text.replace(/\/+$/, '');
}

function countOf(name: string, text: string | undefined, fallback: number): number {
  if (!text) return fallback;
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`${name} is not a positive whole number.`);
  return count;
}
