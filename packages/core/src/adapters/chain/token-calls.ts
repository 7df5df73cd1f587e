import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { decodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import type { SignedTransfer } from '../../kernel/ports/chain.ts';
import { isHex, type RpcAnswer } from './rpc.ts';

const TOKEN = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function isBlacklisted(address account) view returns (bool)',
  'function paused() view returns (bool)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
]);
const WALLET = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const MULTICALL = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'function aggregate3(Call[] calls) payable returns ((bool success, bytes returnData)[] results)',
]);
const RESULTS = [
  {
    type: 'tuple[]',
    components: [
      { name: 'success', type: 'bool' },
      { name: 'returnData', type: 'bytes' },
    ],
  },
] as const;

/** The same on every chain. */
export const MULTICALL_ADDRESS: Hex = '0xca11bde05977b3631167028862be2a173976ca11';

export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
}

export const stateCall = (token: Hex, payer: Hex, nonce: Hex): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: TOKEN, functionName: 'authorizationState', args: [payer, nonce] }),
});

export const balanceCall = (token: Hex, account: Hex): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [account] }),
});

export const blockedCall = (token: Hex, account: Hex): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: TOKEN, functionName: 'isBlacklisted', args: [account] }),
});

export const pausedCall = (token: Hex): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: TOKEN, functionName: 'paused' }),
});

/** This overload takes signatures of any length, so that contract wallets can pay too. */
export function transferCall(token: Hex, { authorization, signature }: SignedTransfer): ContractCall {
  const { from, to, units, validAfter, validBefore, nonce } = authorization;
  const args = [from, to, units, validAfter, validBefore, nonce, signature] as const;
  return {
    to: token,
    data: encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args }),
  };
}

export const signatureCall = (wallet: Hex, hash: Hex, signature: Hex): ContractCall => ({
  to: wallet,
  data: encodeFunctionData({ abi: WALLET, functionName: 'isValidSignature', args: [hash, signature] }),
});

/** Two calls in one transaction. The first may fail: somebody else may have deployed the wallet already. */
export function multicall(first: ContractCall, second: ContractCall, isSecondNeeded: boolean): ContractCall {
  const calls = [
    { target: first.to, allowFailure: true, callData: first.data },
    { target: second.to, allowFailure: !isSecondNeeded, callData: second.data },
  ];
  return {
    to: MULTICALL_ADDRESS,
    data: encodeFunctionData({ abi: MULTICALL, functionName: 'aggregate3', args: [calls] }),
  };
}

/** The result of the second call of a `multicall`. */
export function secondResult(answer: RpcAnswer): RpcAnswer {
  if (answer.kind !== 'result' || !isHex(answer.value)) return answer;
  try {
    const [results] = decodeAbiParameters(RESULTS, answer.value);
    const second = results[1];
    if (!second) return { kind: 'failed', message: 'no result' };
    if (second.success) return { kind: 'result', value: second.returnData };
    return { kind: 'reverted', data: second.returnData, message: '' };
  } catch {
    return { kind: 'failed', message: 'unreadable result' };
  }
}

const ERROR_SELECTOR = '0x08c379a0';

/** The text of the contract's failed `require`, or the node's own message where there is none. */
export function reasonOf({ data, message }: { data: Hex; message: string }): string {
  if (!data.startsWith(ERROR_SELECTOR)) return message;
  try {
    return decodeAbiParameters([{ type: 'string' }], `0x${data.slice(ERROR_SELECTOR.length)}`)[0];
  } catch {
    return message;
  }
}
