import { feesFor } from './relayer.rules.ts';
import type { AccountStatus, RelayerParts } from './relayer-parts.ts';
import type { RpcAnswer, RpcCall } from './rpc.ts';
import { readBlock, readQuantity } from './wire-reading.ts';

/** The state of the relayer's account with the answers to `more`, read in one request. Null: the node did not answer. */
export async function readAccountStatus(
  { account, rpc }: Pick<RelayerParts, 'account' | 'rpc'>,
  more: readonly RpcCall[] = [],
): Promise<{ readonly status: AccountStatus; readonly more: readonly RpcAnswer[] } | null> {
  const of = (method: string, block: string): RpcCall => ({ method, params: [account.address, block] });
  const answers = await rpc([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    of('eth_getTransactionCount', 'latest'),
    of('eth_getTransactionCount', 'pending'),
    of('eth_getBalance', 'latest'),
    ...more,
  ]);
  const latest = readBlock(answers?.[0]);
  const count = readQuantity(answers?.[2]);
  const balance = readQuantity(answers?.[4]);
  if (!answers || !latest || count === null || balance === null) return null;
  const pendingCount = Number(readQuantity(answers[3]) ?? count);
  const fees = feesFor(latest.baseFee, readQuantity(answers[1]) ?? 0n);
  return {
    status: { latest, fees, count: Number(count), pendingCount, balance },
    more: answers.slice(5),
  };
}
