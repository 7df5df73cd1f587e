import type { Hex } from '@agent-marketplace/core/kernel/ports/chain.ts';

/** What is signed (EIP-712). */
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

/** Who pays: accounts of viem are such, smart accounts included, and anything else that signs EIP-712. */
export interface PayingAccount {
  readonly address: Hex;
  signTypedData(transfer: TransferToSign): Promise<Hex>;
}
