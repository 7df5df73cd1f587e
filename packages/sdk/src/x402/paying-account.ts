import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';

/** The EIP-712 message to sign. */
export interface TransferToSign {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: Hex;
  };
  readonly types: {
    readonly TransferWithAuthorization: readonly { readonly name: string; readonly type: string }[];
  };
  readonly primaryType: 'TransferWithAuthorization';
  readonly message: {
    readonly from: Hex;
    readonly to: Hex;
    readonly value: bigint;
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: Hex;
  };
}

/** An account that signs EIP-712, such as the accounts of viem, smart accounts included. */
export interface PayingAccount {
  readonly address: Hex;
  signTypedData(transfer: TransferToSign): Promise<Hex>;
}
