import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { hashMessage, hashTypedData } from 'viem/utils';
import type {
  Readiness,
  SignedTransfer,
  TransferAuthorization,
  TransferCheck,
  TransferHint,
  TransferTrace,
  TypedMessage,
} from '../../kernel/ports/chain.ts';
import { findNonceEvent } from './events/find-nonce-event.ts';
import { isHex, type Rpc, type RpcCall, toQuantity } from './rpc.ts';
import { isSignedByKey, readSignature } from './signatures.ts';
import {
  balanceCall,
  blockedCall,
  type ContractCall,
  multicall,
  pausedCall,
  reasonOf,
  secondResult,
  signatureCall,
  stateCall,
  transferCall,
} from './token-calls.ts';
import { faultOf, isDeep, type Receipt, showsTransfer } from './transfer-trace.rules.ts';
import { type Block, readBlock, readFlag, readQuantity, readReceipt } from './wire-reading.ts';

export interface ChainReaderOptions {
  readonly rpc: Rpc;
  readonly token: ChainToken;
  /** A transfer is settled once this many blocks contain or follow it. */
  readonly confirmations: number;
  /** The contracts that may deploy a payer's wallet, in lower case. */
  readonly walletFactories: readonly Hex[];
  /** The most blocks that the provider searches in one request. */
  readonly logRange: number;
}

/** `isReverted`: the transaction of the hint was mined and had no effect. */
export type DetailedTrace = TransferTrace & { readonly isReverted?: boolean };

export interface ChainReader {
  check(transfer: SignedTransfer): Promise<TransferCheck>;
  trace(authorization: TransferAuthorization, hint?: TransferHint): Promise<DetailedTrace>;
  /** In units of the token; null if the chain could not be asked. */
  balanceOf(account: Hex): Promise<bigint | null>;
  hasSigned(account: Hex, message: string | TypedMessage, signature: Hex): Promise<boolean | null>;
  /** Whether the token moves, and may move to this account; null if the chain could not be asked. */
  readiness(payTo: Hex): Promise<Readiness | null>;
}

const LATEST = 'latest';
/** ERC-1271. */
const VALID = '0x1626ba7e';
const UNAVAILABLE = { kind: 'unavailable' } as const;

const ethCall = (call: ContractCall, block: string = LATEST): RpcCall => ({
  method: 'eth_call',
  params: [call, block],
});
const getBlock = (block: string): RpcCall => ({ method: 'eth_getBlockByNumber', params: [block, false] });
const getReceipt = (hash: string): RpcCall => ({ method: 'eth_getTransactionReceipt', params: [hash] });

/** The calls that make a transfer; `deploying` also deploys the payer's wallet first. */
export function settlementCalls(
  token: ChainToken,
  walletFactories: readonly Hex[],
  { authorization, signature }: SignedTransfer,
): { direct: ContractCall; deploying: ContractCall | null; deployingTrial: ContractCall | null } | null {
  const read = readSignature(signature);
  if (!read) return null;
  const direct = transferCall(token.address, { authorization, signature: read.inner });
  const { deployment } = read;
  if (!deployment || !walletFactories.includes(deployment.to)) {
    return { direct, deploying: null, deployingTrial: null };
  }
  return {
    direct,
    deploying: multicall(deployment, direct, true),
    // In a trial the second call may fail, so that its reason can be read. In the real transaction both revert.
    deployingTrial: multicall(deployment, direct, false),
  };
}

/** Reads the chain through a node. `unavailable`: the node could not be reached or did not answer. */
export function createChainReader(options: ChainReaderOptions): ChainReader {
  const { rpc, token, confirmations, walletFactories } = options;

  async function check(transfer: SignedTransfer): Promise<TransferCheck> {
    const { from, nonce, units } = transfer.authorization;
    const calls = settlementCalls(token, walletFactories, transfer);
    if (!calls) return { kind: 'invalid', fault: 'invalid_exact_evm_payload_signature' };
    const answers = await rpc([
      ethCall(stateCall(token.address, from, nonce)),
      ethCall(balanceCall(token.address, from)),
      ethCall(calls.direct),
      { method: 'eth_getCode', params: [from, LATEST] },
      ...(calls.deployingTrial ? [ethCall(calls.deployingTrial)] : []),
    ]);
    const isUsed = readFlag(answers?.[0]);
    const balance = readQuantity(answers?.[1]);
    const code = answers?.[3];
    if (!answers || isUsed === null || balance === null || code?.kind !== 'result') return UNAVAILABLE;
    if (isUsed) return { kind: 'nonce_used' };
    const isDeploying = answers[4] !== undefined && code.value === '0x';
    const trial = isDeploying ? secondResult(answers[4] as never) : answers[2];
    if (trial?.kind === 'result') return { kind: 'valid', hasCode: code.value !== '0x' };
    if (trial?.kind !== 'reverted') return UNAVAILABLE;
    // A transfer that fails because the token is paused or the recipient blocked is not its payer's fault.
    const reason = (await readiness(transfer.authorization.to))?.closedBy;
    if (reason) return { kind: 'closed', reason };
    return { kind: 'invalid', fault: faultOf(reasonOf(trial), balance >= units) };
  }

  async function readiness(payTo: Hex): Promise<Readiness | null> {
    const answers = await rpc([
      ethCall(pausedCall(token.address)),
      ethCall(blockedCall(token.address, payTo)),
    ]);
    const [isPaused, isBlocked] = [readFlag(answers?.[0]), readFlag(answers?.[1])];
    if (isPaused) return { closedBy: 'token_paused' };
    if (isBlocked) return { closedBy: 'pay_to_blocked' };
    return isPaused === null || isBlocked === null ? null : { closedBy: null };
  }

  async function trace(
    authorization: TransferAuthorization,
    hint: TransferHint = {},
  ): Promise<DetailedTrace> {
    const hash = hint.transaction ?? null;
    const state = stateCall(token.address, authorization.from, authorization.nonce);
    const answers = await rpc([
      getBlock(LATEST),
      ethCall(state),
      ...(hash ? [getReceipt(hash), { method: 'eth_getTransactionByHash', params: [hash] }] : []),
    ]);
    const latest = readBlock(answers?.[0]);
    const isUsed = readFlag(answers?.[1]);
    if (!answers || !latest || isUsed === null) return UNAVAILABLE;
    const hinted = hash ? readReceipt(answers[2]) : null;
    if (hinted === undefined) return UNAVAILABLE;
    if (hinted && showsTransfer(hinted, token.address, authorization)) return settledIn(hinted, latest);
    if (isUsed) return traceUse(authorization, latest, hint);

    const isReverted = hinted !== null;
    if (latest.seconds >= authorization.validBefore && (await isOver(authorization, latest))) {
      return { kind: 'unused', isExpired: true, isReverted };
    }
    const waiting = answers[3];
    if (!hinted && waiting?.kind === 'result' && waiting.value) return { kind: 'pending', transaction: hash };
    return { kind: 'unused', isExpired: false, isReverted };
  }

  const settledIn = (receipt: Receipt, latest: Block): TransferTrace => ({
    kind: isDeep(receipt.block, latest.number, confirmations) ? 'settled' : 'pending',
    transaction: receipt.transaction,
  });

  async function traceUse(
    authorization: TransferAuthorization,
    latest: Block,
    hint: TransferHint,
  ): Promise<TransferTrace> {
    const found = await findNonceEvent(rpc, token.address, authorization, {
      latest,
      logRange: options.logRange,
      ...(hint.seenAt === undefined ? {} : { seenAt: hint.seenAt }),
    });
    if (found.kind === 'void') return (await isUsedBy(authorization, latest)) ? found : UNAVAILABLE;
    if (found.kind !== 'used') return found;
    const receipt = readReceipt((await rpc([getReceipt(found.transaction)]))?.[0]);
    if (!receipt) return UNAVAILABLE;
    return showsTransfer(receipt, token.address, authorization)
      ? settledIn(receipt, latest)
      : { kind: 'void' };
  }

  /**
   * Whether the nonce was already used at the block where the search ended. A transfer mined after that block
   * uses the nonce too, but is too new to be found: it must not count as void.
   */
  async function isUsedBy(authorization: TransferAuthorization, { number }: Block): Promise<boolean> {
    const state = stateCall(token.address, authorization.from, authorization.nonce);
    return readFlag((await rpc([ethCall(state, toQuantity(number))]))?.[0]) === true;
  }

  /**
   * Whether the authorisation has expired and was not used. Read again at one given block: two answers about
   * "latest" may come from two nodes, and the one behind does not know the last use yet.
   */
  async function isOver(authorization: TransferAuthorization, latest: Block): Promise<boolean> {
    const depth = BigInt(confirmations - 1);
    const deep = toQuantity(latest.number > depth ? latest.number - depth : 0n);
    const state = stateCall(token.address, authorization.from, authorization.nonce);
    const answers = await rpc([getBlock(deep), ethCall(state, toQuantity(latest.number))]);
    const block = readBlock(answers?.[0]);
    return block !== null && block.seconds >= authorization.validBefore && readFlag(answers?.[1]) === false;
  }

  const balanceOf = async (account: Hex): Promise<bigint | null> =>
    readQuantity((await rpc([ethCall(balanceCall(token.address, account))]))?.[0]);

  async function hasSigned(
    account: Hex,
    message: string | TypedMessage,
    signature: Hex,
  ): Promise<boolean | null> {
    const read = readSignature(signature);
    if (!read) return false;
    const hash = typeof message === 'string' ? hashMessage(message) : hashTypedData(message as never);
    if (!read.deployment && (await isSignedByKey(account, hash, read.inner))) return true;
    const signatureCheck = signatureCall(account, hash, read.inner);
    const { deployment } = read;
    const isKnown = deployment !== null && walletFactories.includes(deployment.to);
    const answers = await rpc([
      { method: 'eth_getCode', params: [account, LATEST] },
      ethCall(signatureCheck),
      ...(isKnown ? [ethCall(multicall(deployment, signatureCheck, false))] : []),
    ]);
    const code = answers?.[0];
    if (!answers || code?.kind !== 'result') return null;
    if (code.value === '0x' && !isKnown) return false;
    const answer = code.value === '0x' && answers[2] ? secondResult(answers[2]) : answers[1];
    if (answer?.kind === 'failed' || answer === undefined) return null;
    return answer.kind === 'result' && isHex(answer.value) && answer.value.startsWith(VALID);
  }

  return { check, trace, balanceOf, hasSigned, readiness };
}
