import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { isHex, quantityOf, type RpcAnswer } from './rpc.ts';
import type { ChainEvent, Receipt } from './transfer-trace.rules.ts';

/** Null: the node does not know the value. Undefined: its answer could not be read. */
type Read<Value> = Value | null | undefined;

const resultOf = (answer: RpcAnswer | undefined): unknown =>
  answer?.kind === 'result' ? answer.value : undefined;

export interface Block {
  readonly number: bigint;
  readonly seconds: bigint;
  readonly baseFee: bigint;
}

export function readBlock(answer: RpcAnswer | undefined): Block | null {
  const block = resultOf(answer) as Record<string, unknown> | null | undefined;
  const number = quantityOf(block?.number);
  const seconds = quantityOf(block?.timestamp);
  if (number === null || seconds === null) return null;
  return { number, seconds, baseFee: quantityOf(block?.baseFeePerGas) ?? 0n };
}

export function readQuantity(answer: RpcAnswer | undefined): bigint | null {
  return quantityOf(resultOf(answer));
}

export function readFlag(answer: RpcAnswer | undefined): boolean | null {
  const value = readQuantity(answer);
  return value === null ? null : value === 1n;
}

export function readReceipt(answer: RpcAnswer | undefined): Read<Receipt> {
  const receipt = resultOf(answer) as Record<string, unknown> | null | undefined;
  if (!receipt) return receipt;
  const block = quantityOf(receipt.blockNumber);
  const transaction = receipt.transactionHash;
  const events = readEvents(receipt.logs);
  if (block === null || !isHex(transaction) || !events) return undefined;
  const gasUsed = quantityOf(receipt.gasUsed);
  const weiPerGas = quantityOf(receipt.effectiveGasPrice);
  // Rollups take a fee of its own for the data that they post to Ethereum.
  const dataFee = quantityOf(receipt.l1Fee) ?? 0n;
  return {
    transaction,
    hasSucceeded: quantityOf(receipt.status) === 1n,
    block,
    gasUsed,
    costWei: gasUsed === null || weiPerGas === null ? null : gasUsed * weiPerGas + dataFee,
    events,
  };
}

/** An event as `eth_getLogs` tells it. */
export interface LoggedEvent extends ChainEvent {
  readonly transaction: Hex;
  readonly block: bigint | null;
}

/** Of `eth_getLogs`: only what is on the chain now. */
export function readFoundEvents(answer: RpcAnswer | undefined): LoggedEvent[] | null {
  const logs = resultOf(answer);
  const events = readEvents(logs);
  if (!events) return null;
  return events.flatMap((event, index) => {
    const { removed, transactionHash, blockNumber } = (logs as Record<string, unknown>[])[index] ?? {};
    if (removed === true || !isHex(transactionHash)) return [];
    return [{ ...event, transaction: transactionHash, block: quantityOf(blockNumber) }];
  });
}

function readEvents(logs: unknown): ChainEvent[] | null {
  if (!Array.isArray(logs)) return null;
  return logs.map(({ address, topics, data, logIndex }: Record<string, unknown>) => ({
    address: String(address),
    topics: Array.isArray(topics) ? topics.map(String) : [],
    data: String(data),
    logIndex: Number(logIndex),
  }));
}
