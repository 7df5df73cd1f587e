import { USDC } from '@agent-marketplace/protocol/chain/networks.data.ts';
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  numberToHex,
  parseAbi,
} from 'viem';
import { WALLET_ABI } from './wallets.ts';

export type Hex = `0x${string}`;

const TOKEN = parseAbi([
  'function mint(address to, uint256 value)',
  'function balanceOf(address account) view returns (uint256)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
]);

interface SignedTransfer {
  readonly authorization: {
    readonly from: Hex;
    readonly to: Hex;
    readonly units: bigint;
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: Hex;
  };
  readonly signature: Hex;
}

/** Control of a local chain: accounts, mining and time. */
export interface ChainControl {
  /** Mints USDC. */
  mint(account: Hex, units: bigint): Promise<void>;
  balanceOf(account: Hex): Promise<bigint>;
  /** Sets an account's balance for gas. */
  setGas(account: Hex, wei: bigint): Promise<void>;
  /** Submits a signed transfer from a third account, and waits until it is mined. */
  relay(transfer: SignedTransfer): Promise<Hex>;
  cancel(payer: Hex, nonce: Hex, signature: Hex): Promise<Hex>;
  /** The address of a smart wallet, deployed on request. */
  createWallet(factory: Hex, owner: Hex, options: { isDeployed: boolean }): Promise<Hex>;
  /** Blocks an account as the token's issuer, without a transaction. */
  blacklist(account: Hex, isBlocked: boolean): Promise<void>;
  /** A transaction from one of anvil's own accounts. */
  send(to: Hex, data: Hex, from?: Hex): Promise<Hex>;
  /** Unix seconds of the last block. */
  now(): Promise<number>;
  /** From now on, transactions wait in the pool. */
  stopMining(): Promise<void>;
  /** Mines waiting transactions, and from now on each at once. */
  startMining(): Promise<void>;
  mine(blocks?: number): Promise<void>;
  /** Mines a block with a later time; where mining is stopped, the next block has it. */
  passTime(seconds: number): Promise<void>;
  /** Drops all waiting transactions. */
  dropWaiting(): Promise<void>;
  snapshot(): Promise<Hex>;
  /** Reverts to the snapshot, as a reorganisation would. */
  revert(snapshot: Hex): Promise<void>;
  /** Sends calls of the node's protocol in one request. */
  rpc(calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<unknown[]>;
}

/** The second account of every local chain: a stranger with gas. */
const STRANGER: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const POLL_MS = 10;
/** The storage slot of the token's blacklist. */
const BLACKLIST_SLOT = 4n;

/** Talks to anvil by its own protocol. */
export function createChainControl(url: string): ChainControl {
  async function rpc(calls: readonly (readonly [string, readonly unknown[]])[]): Promise<unknown[]> {
    const body = calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const answers = (await response.json()) as {
      id: number;
      result?: unknown;
      error?: { message: string };
    }[];
    return calls.map(([method], id) => {
      const answer = answers.find((one) => one.id === id);
      if (!answer || answer.error) throw new Error(`${method}: ${answer?.error?.message ?? 'no answer'}`);
      return answer.result;
    });
  }
  const one = async (method: string, ...params: unknown[]) => (await rpc([[method, params]]))[0];

  let lastSend: Promise<unknown> = Promise.resolve();
  let isMining = true;

  async function send(to: Hex, data: Hex, from: Hex = STRANGER): Promise<Hex> {
    // One at a time: anvil gives concurrent transactions the same nonce.
    const sending = lastSend.then(() =>
      one('eth_sendTransaction', { from, to, data, gas: numberToHex(2_000_000) }),
    ) as Promise<Hex>;
    lastSend = sending.catch(() => {});
    const hash = await sending;
    for (;;) {
      const receipt = (await one('eth_getTransactionReceipt', hash)) as { status: Hex } | null;
      if (receipt?.status === '0x1') return hash;
      if (receipt) throw new Error(`The transaction ${hash} was reverted.`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  const token = USDC.base.address;

  return {
    rpc,
    send,
    async mint(account, units) {
      await send(token, encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [account, units] }));
    },
    async balanceOf(account) {
      const data = encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [account] });
      const result = (await one('eth_call', { to: token, data }, 'latest')) as Hex;
      return decodeFunctionResult({ abi: TOKEN, functionName: 'balanceOf', data: result });
    },
    async setGas(account, wei) {
      await one('anvil_setBalance', account, numberToHex(wei));
    },
    relay({ authorization, signature }) {
      const { from, to, units, validAfter, validBefore, nonce } = authorization;
      const args = [from, to, units, validAfter, validBefore, nonce, signature] as const;
      return send(token, encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args }));
    },
    cancel(payer, nonce, signature) {
      const args = [payer, nonce, signature] as const;
      return send(token, encodeFunctionData({ abi: TOKEN, functionName: 'cancelAuthorization', args }));
    },
    async createWallet(factory, owner, { isDeployed }) {
      const ask = encodeFunctionData({ abi: WALLET_ABI, functionName: 'addressOf', args: [owner] });
      const result = (await one('eth_call', { to: factory, data: ask }, 'latest')) as Hex;
      const data = encodeFunctionData({ abi: WALLET_ABI, functionName: 'create', args: [owner] });
      if (isDeployed) await send(factory, data);
      return decodeFunctionResult({ abi: WALLET_ABI, functionName: 'addressOf', data: result });
    },
    async blacklist(account, isBlocked) {
      const slot = keccak256(
        encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, BLACKLIST_SLOT]),
      );
      await one('anvil_setStorageAt', token, slot, numberToHex(isBlocked ? 1n : 0n, { size: 32 }));
    },
    async now() {
      const block = (await one('eth_getBlockByNumber', 'latest', false)) as { timestamp: Hex };
      return Number(block.timestamp);
    },
    async stopMining() {
      isMining = false;
      await rpc([
        ['evm_setAutomine', [false]],
        ['evm_setIntervalMining', [0]],
      ]);
    },
    async startMining() {
      isMining = true;
      await rpc([
        ['evm_setAutomine', [true]],
        ['evm_mine', []],
      ]);
    },
    async mine(blocks = 1) {
      await one('anvil_mine', numberToHex(blocks));
    },
    async passTime(seconds) {
      // A block here would take in what waits, or was dropped and sent again meanwhile.
      await rpc([['evm_increaseTime', [seconds]], ...(isMining ? [['evm_mine', []] as const] : [])]);
    },
    async dropWaiting() {
      await one('anvil_dropAllTransactions');
    },
    snapshot: async () => (await one('evm_snapshot')) as Hex,
    async revert(snapshot) {
      await one('evm_revert', snapshot);
    },
  };
}
