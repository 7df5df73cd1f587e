import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** Typed data about a tab, as EIP-712 has it. */
export interface TabMessage {
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number };
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  readonly message: Readonly<Record<string, Hex | bigint>>;
}

/** The account that paid for a tab, such as the accounts of viem. */
export interface TabAccount {
  // A method: accounts of viem take more than this.
  signTypedData(message: TabMessage): Promise<Hex>;
}

interface OpenTab {
  /** Of the chain that it was paid on: 8453 is Base. */
  readonly chainId: number;
  readonly tabId: string;
}

/** One query of a tab, before it is signed. */
export interface TabVoucher extends OpenTab {
  /** Higher than in every voucher before. */
  readonly sequence: number;
  /** In micro-units of USDC: what all queries of the tab may cost together, this one included. */
  readonly ceilingMicros: number;
  readonly query?: JsonObject;
}

/** Signs a voucher. The result, with `tabId`, is the input of `queryTab`. */
export async function signVoucher(account: TabAccount, voucher: TabVoucher) {
  const { chainId, tabId, query, sequence, ceilingMicros } = voucher;
  const digest = await canonicalDigest(query ?? {});
  const signature = await account.signTypedData({
    domain: domainOf(chainId),
    types: {
      Voucher: [
        { name: 'tab', type: 'bytes32' },
        { name: 'sequence', type: 'uint256' },
        { name: 'query', type: 'bytes32' },
        { name: 'ceiling', type: 'uint256' },
      ],
    },
    primaryType: 'Voucher',
    message: {
      tab: bytesOf(tabId),
      sequence: BigInt(sequence),
      query: `0x${digest.replace('sha256:', '')}`,
      ceiling: BigInt(ceilingMicros),
    },
  });
  return { sequence, ceilingMicros, signature, ...(query === undefined ? {} : { query }) };
}

/** Signs that a tab is to be closed: the `signature` of `closeTab`. */
export function signClosing(account: TabAccount, { chainId, tabId }: OpenTab): Promise<Hex> {
  return account.signTypedData({
    domain: domainOf(chainId),
    types: { Close: [{ name: 'tab', type: 'bytes32' }] },
    primaryType: 'Close',
    message: { tab: bytesOf(tabId) },
  });
}

const domainOf = (chainId: number) => ({ name: 'Marketplace tab', version: '1', chainId });

/** The id's 16 bytes, and 16 of zero. */
const bytesOf = (tabId: string): Hex => `0x${tabId.replaceAll('-', '').padEnd(64, '0')}`;
