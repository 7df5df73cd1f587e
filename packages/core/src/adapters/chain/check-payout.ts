import type { SignedTransfer, TransferAuthorization } from '../../kernel/ports/chain.ts';
import { readAccountStatus } from './read-account-status.ts';
import type { RelayAnswer } from './relayer-answers.ts';
import type { AccountStatus, RelayerParts } from './relayer-parts.ts';
import { type RpcCall, toQuantity } from './rpc.ts';
import { balanceCall, blockedCall, type ContractCall, pausedCall, stateCall } from './token-calls.ts';
import { readBlock, readFlag, readQuantity } from './wire-reading.ts';

/** More than the token's transfer takes. It cannot be estimated: that would show the signature to the node. */
export const PAYOUT_GAS = 200_000n;

const UNAVAILABLE = { kind: 'unavailable' } as const;

const ethCall = (call: ContractCall, block = 'latest'): RpcCall => ({
  method: 'eth_call',
  params: [call, block],
});

export type PayoutCheck =
  | { readonly kind: 'payable'; readonly status: AccountStatus; readonly balanceUnits: bigint }
  | RelayAnswer;

/**
 * Whether the account can make a payout now, by questions that show nothing signed: a node that keeps what it is
 * shown could otherwise execute a payout that was refused, after it was paid another way.
 */
export async function checkPayout(
  parts: RelayerParts,
  { from, to, nonce, units }: TransferAuthorization,
): Promise<PayoutCheck> {
  const { options, log } = parts;
  const token = options.token.address;
  const read = await readAccountStatus(parts, [
    ethCall(stateCall(token, from, nonce)),
    ethCall(balanceCall(token, from)),
    ethCall(blockedCall(token, from)),
    ethCall(blockedCall(token, to)),
    ethCall(pausedCall(token)),
  ]);
  const [isUsed, isFromBlocked, isToBlocked, isPaused] = [0, 2, 3, 4].map((at) => readFlag(read?.more[at]));
  const balanceUnits = readQuantity(read?.more[1]);
  const isUnknown = [isUsed, isFromBlocked, isToBlocked, isPaused].some((flag) => flag === null);
  if (read === null || isUnknown || balanceUnits === null) return UNAVAILABLE;
  const { status } = read;
  if (isUsed) return { kind: 'nonce_used' };
  if (isFromBlocked || isPaused) {
    log.error('platform_payment_unavailable', { reason: isPaused ? 'token_paused' : 'account_blocked' });
    return UNAVAILABLE;
  }
  if (isToBlocked || BigInt(to) === 0n) return { kind: 'rejected', fault: 'invalid_transaction_state' };
  if (status.balance < PAYOUT_GAS * status.fees.maxFeePerGas) {
    log.error('relayer_out_of_gas', { address: from, balanceWei: String(status.balance) });
    return UNAVAILABLE;
  }
  return balanceUnits < units
    ? { kind: 'rejected', fault: 'insufficient_funds' }
    : { kind: 'payable', status, balanceUnits };
}

/**
 * Whether an authorisation can never be executed any more: expired and unused, both read in one finalized block.
 * A block that is not final may be replaced by one that holds the transfer.
 */
export async function isDead(
  { rpc, options }: Pick<RelayerParts, 'rpc' | 'options'>,
  { authorization: { from, nonce, validBefore } }: SignedTransfer,
): Promise<boolean> {
  const block = readBlock(
    (await rpc([{ method: 'eth_getBlockByNumber', params: ['finalized', false] }]))?.[0],
  );
  if (block === null || block.seconds < validBefore) return false;
  const state = ethCall(stateCall(options.token.address, from, nonce), toQuantity(block.number));
  return readFlag((await rpc([state]))?.[0]) === false;
}
