import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { readAccountStatus } from '../read-account-status.ts';
import { type Fees, gasLimit } from '../relayer.rules.ts';
import type { AccountStatus, RelayerParts } from '../relayer-parts.ts';
import { type RpcCall, toQuantity } from '../rpc.ts';
import type { ContractCall } from '../token-calls.ts';
import { readQuantity } from '../wire-reading.ts';

export type GasEstimate =
  | {
      readonly kind: 'estimated';
      readonly status: AccountStatus;
      readonly estimate: bigint;
      readonly gas: bigint;
    }
  | { readonly kind: 'reverted' }
  | { readonly kind: 'too_much'; readonly estimate: bigint }
  /** The account cannot pay for a transaction. */
  | { readonly kind: 'out_of_gas'; readonly balance: bigint }
  | { readonly kind: 'unavailable' };

/** No transfer takes less; with a price, a node estimates nothing that the account could not pay for. */
const LEAST_GAS = 60_000n;
const UNAVAILABLE = { kind: 'unavailable' } as const;

/**
 * Tries a call as its transaction will run: from this account, with its gas price, and with no more gas than it will be
 * given. A wallet can tell a trial without a price, and say yes to it only.
 */
export async function estimateGas(
  parts: Pick<RelayerParts, 'account' | 'rpc'>,
  call: ContractCall,
  maxGas: bigint,
): Promise<GasEstimate> {
  const read = await readAccountStatus(parts);
  if (read === null) return UNAVAILABLE;
  const { status } = read;
  const outOfGas = { kind: 'out_of_gas', balance: status.balance } as const;
  if (status.balance < LEAST_GAS * status.fees.maxFeePerGas) return outOfGas;
  const priced = pricedCall(parts.account.address, call, status.fees);
  const [first] = (await parts.rpc([{ method: 'eth_estimateGas', params: [priced] }])) ?? [];
  if (first?.kind === 'reverted') return { kind: 'reverted' };
  const estimate = readQuantity(first);
  if (estimate === null) return UNAVAILABLE;
  const gas = gasLimit(estimate, maxGas);
  if (gas === null) return { kind: 'too_much', estimate };
  if (status.balance < gas * status.fees.maxFeePerGas) return outOfGas;
  const trial: RpcCall = { method: 'eth_call', params: [{ ...priced, gas: toQuantity(gas) }, 'latest'] };
  const [second] = (await parts.rpc([trial])) ?? [];
  if (second?.kind === 'reverted') return { kind: 'reverted' };
  return second?.kind === 'result' ? { kind: 'estimated', status, estimate, gas } : UNAVAILABLE;
}

function pricedCall(from: Hex, call: ContractCall, { maxFeePerGas, maxPriorityFeePerGas }: Fees) {
  return {
    from,
    ...call,
    maxFeePerGas: toQuantity(maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
  };
}
