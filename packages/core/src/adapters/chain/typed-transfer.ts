import type { ChainToken } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { TransferAuthorization } from '../../kernel/ports/chain.ts';

const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** What a payer's wallet signs, as EIP-712 has it. */
export function typedTransfer(token: ChainToken, authorization: TransferAuthorization) {
  const { from, to, units, validAfter, validBefore, nonce } = authorization;
  return {
    domain: {
      name: token.name,
      version: token.version,
      chainId: token.chainId,
      verifyingContract: token.address,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { from, to, value: units, validAfter, validBefore, nonce },
  } as const;
}
