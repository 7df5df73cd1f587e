import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { decodeAbiParameters, recoverAddress } from 'viem/utils';
import type { ContractCall } from './token-calls.ts';

const MAGIC = '6492'.repeat(16);
/** A passkey wallet's signature with its deployment takes about 3 KB. */
const MAX_BYTES = 8192;

export interface ReadSignature {
  /** The part that the wallet itself checks. */
  readonly inner: Hex;
  /** The call that deploys the wallet, if the signature contains one (ERC-6492). */
  readonly deployment: ContractCall | null;
}

/** Null: the text is not a signature. */
export function readSignature(signature: Hex): ReadSignature | null {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(signature) || signature.length > 2 + 2 * MAX_BYTES) return null;
  if (!signature.endsWith(MAGIC)) return { inner: signature, deployment: null };
  try {
    const [to, data, inner] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      `0x${signature.slice(2, -MAGIC.length)}`,
    );
    return { inner, deployment: { to: to.toLowerCase() as Hex, data } };
  } catch {
    return null;
  }
}

/** Whether the account's own key made the signature. */
export async function isSignedByKey(account: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  if (signature.length !== 132) return false;
  try {
    return (await recoverAddress({ hash, signature })).toLowerCase() === account.toLowerCase();
  } catch {
    return false;
  }
}
