import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { AccountTransfer, TransferPage } from '../../../kernel/ports/chain.ts';
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts';
import { isHex, type Rpc, type RpcAnswer, type RpcCall, toQuantity } from '../rpc.ts';
import { balanceCall } from '../token-calls.ts';
import { EVENT, wordOf } from '../transfer-trace.rules.ts';
import { type Block, type LoggedEvent, readBlock, readFoundEvents, readQuantity } from '../wire-reading.ts';

interface Account {
  readonly rpc: Rpc;
  readonly token: ChainToken;
  readonly account: Hex;
  readonly logRange: number;
}

/** Where nobody knows better, a range with too many events is halved so often. */
const MAX_HALVINGS = 8;
/** Providers limit how many calls one request may have. */
const MAX_CALLS = 50;
/** More halvings than a chain has blocks. */
const MAX_SEARCHES = 64;

const getBlock = (block: string): RpcCall => ({ method: 'eth_getBlockByNumber', params: [block, false] });

async function readBlocks(rpc: Rpc, blocks: readonly string[]): Promise<Block[] | null> {
  const found: (Block | null)[] = [];
  for (const batch of splitIntoBatches(blocks, MAX_CALLS)) {
    const answers = await rpc(batch.map(getBlock));
    found.push(...batch.map((_, index) => readBlock(answers?.[index])));
  }
  return found.every((block) => block !== null) ? found : null;
}

/** The transfers of an account in final blocks after one of them. */
export async function listTransfers(of: Account, afterBlock: number): Promise<TransferPage | null> {
  const [final] = (await readBlocks(of.rpc, ['finalized'])) ?? [];
  if (final === undefined || final.number < BigInt(afterBlock)) return null;
  const after = BigInt(afterBlock);
  if (final.number === after) return pageOf(of, { events: [], last: final, isLast: true });
  let blocks = BigInt(of.logRange);
  for (let halvings = 0; halvings <= MAX_HALVINGS && blocks > 0n; halvings += 1) {
    const end = after + blocks < final.number ? after + blocks : final.number;
    const found = await searchRange(of, after + 1n, end);
    if (found === null) return null;
    if (found !== 'refused') return pageOf(of, { ...found, isLast: end === final.number });
    blocks /= 2n;
  }
  return null;
}

/** An empty page at the last final block before a moment. */
export async function findTransfersSince(of: Account, sinceSeconds: number): Promise<TransferPage | null> {
  const [final] = (await readBlocks(of.rpc, ['finalized'])) ?? [];
  if (final === undefined) return null;
  const since = BigInt(sinceSeconds);
  if (final.seconds < since) return pageOf(of, { events: [], last: final, isLast: true });
  let [low, high] = [0n, final.number];
  for (let searches = 0; low + 1n < high && searches < MAX_SEARCHES; searches += 1) {
    const middle = (low + high) / 2n;
    const [block] = (await readBlocks(of.rpc, [toQuantity(middle)])) ?? [];
    if (block === undefined) return null;
    if (block.seconds < since) low = middle;
    else high = middle;
  }
  const [last] = (await readBlocks(of.rpc, [toQuantity(low)])) ?? [];
  return last === undefined ? null : pageOf(of, { events: [], last, isLast: low === final.number });
}

/** `refused`: the node has the blocks, and does not search so many of them. */
async function searchRange({ rpc, token, account }: Account, start: bigint, end: bigint) {
  const range = { address: token.address, fromBlock: toQuantity(start), toBlock: toQuantity(end) };
  const word = wordOf(account);
  const [out, into, last] = (await rpc([
    { method: 'eth_getLogs', params: [{ ...range, topics: [EVENT.transfer, word] }] },
    { method: 'eth_getLogs', params: [{ ...range, topics: [EVENT.transfer, null, word] }] },
    getBlock(toQuantity(end)),
  ])) ?? [null, null, null];
  const block = readBlock(last ?? undefined);
  if (block === null || block.number !== end) return null;
  if (isRefused(out) || isRefused(into)) return 'refused';
  const [left, came] = [readFoundEvents(out ?? undefined), readFoundEvents(into ?? undefined)];
  if (!left || !came) return null;
  const events = [...left, ...came];
  const isWithin = ({ block }: LoggedEvent) => block !== null && block >= start && block <= end;
  return events.every(isWithin) ? { events, last: block } : null;
}

const isRefused = (answer: RpcAnswer | null | undefined): boolean => answer?.kind === 'failed';

async function pageOf(
  { rpc, token, account }: Account,
  { events, last, isLast }: { events: readonly LoggedEvent[]; last: Block; isLast: boolean },
): Promise<TransferPage | null> {
  const numbers = [...new Set(events.map(({ block }) => toQuantity(block ?? 0n)))];
  const blocks = await readBlocks(rpc, numbers);
  const seconds = new Map(blocks?.map((block) => [block.number, Number(block.seconds)]));
  const transfers = events.map((event) => readTransfer(event, seconds));
  if (transfers.some((one) => one === null)) return null;
  // One to itself is found twice.
  const unique = new Map(
    (transfers as AccountTransfer[])
      .filter(({ units }) => units > 0n)
      .map((one) => [`${one.transaction}:${one.logIndex}`, one]),
  );
  const balance = {
    method: 'eth_call',
    params: [balanceCall(token.address, account), toQuantity(last.number)],
  };
  const units = readQuantity((await rpc([balance]))?.[0]);
  return {
    transfers: [...unique.values()].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex),
    block: Number(last.number),
    seconds: Number(last.seconds),
    units,
    isLast,
  };
}

function readTransfer(
  { transaction, logIndex, topics, data, block }: LoggedEvent,
  secondsOf: ReadonlyMap<bigint, number>,
): AccountTransfer | null {
  const [from, to] = [addressOf(topics[1]), addressOf(topics[2])];
  const seconds = block === null ? undefined : secondsOf.get(block);
  if (!from || !to || !/^0x[0-9a-fA-F]{64}$/.test(data) || seconds === undefined) return null;
  return { transaction, logIndex, block: Number(block), seconds, from, to, units: BigInt(data) };
}

function addressOf(topic: string | undefined): Hex | null {
  return isHex(topic) && topic.length === 66 ? `0x${topic.slice(-40).toLowerCase()}` : null;
}
