/** Lower-case hex with 0x. Addresses are 20 bytes, nonces and transaction hashes 32. */
export type Hex = `0x${string}`;

/** A token on one network, which is also its EIP-712 domain. */
export interface ChainToken {
  readonly chainId: number;
  readonly address: Hex;
  readonly name: string;
  readonly version: string;
}
