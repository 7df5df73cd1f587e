import type { ChainToken, Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { privateKeyToAccount } from 'viem/accounts';
import { keccak256, stringToBytes } from 'viem/utils';
import type { OutgoingTransfer, SignedTransfer, TransferAuthorization } from '../../kernel/ports/chain.ts';
import type { Fees } from './relayer.rules.ts';
import type { ContractCall } from './token-calls.ts';
import { typedTransfer } from './typed-transfer.ts';

export interface RelayerAccount {
  readonly address: Hex;
  sign(call: ContractCall, nonce: number, gas: bigint, fees: Fees): Promise<{ raw: Hex; hash: Hex }>;
  /** A payout as a transfer. Its nonce is derived from its reference, so the token itself refuses a second one. */
  payout(transfer: OutgoingTransfer, nowSeconds: bigint): TransferAuthorization;
  authorize(authorization: TransferAuthorization): Promise<SignedTransfer>;
}

/** Long enough for a congested chain; after it, what was signed is provably dead and may be replaced. */
const PAYOUT_VALID_SECONDS = 7n * 24n * 3600n;

/** Until when a payout is valid that is signed at a time, in Unix seconds. */
export const payoutEnd = (seconds: bigint): bigint => seconds + PAYOUT_VALID_SECONDS;

/** The same for each reference, whichever account pays. */
export const payoutNonce = (reference: string): Hex => keccak256(stringToBytes(reference));

/** Every use of the private key. */
export function createRelayerAccount(key: Hex, token: ChainToken): RelayerAccount {
  const account = privateKeyToAccount(key);
  const address = account.address.toLowerCase() as Hex;
  return {
    address,
    async sign({ to, data }, nonce, gas, fees) {
      const { chainId } = token;
      const raw = await account.signTransaction({ type: 'eip1559', chainId, nonce, to, data, gas, ...fees });
      return { raw, hash: keccak256(raw) };
    },
    payout: ({ reference, to, units }, nowSeconds) => ({
      from: address,
      to: to.toLowerCase() as Hex,
      units,
      validAfter: 0n,
      validBefore: payoutEnd(nowSeconds),
      nonce: payoutNonce(reference),
    }),
    authorize: async (authorization) => ({
      authorization,
      signature: await account.signTypedData(typedTransfer(token, authorization)),
    }),
  };
}
