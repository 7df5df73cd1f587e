import { decodeAbiParameters, recoverAddress } from 'viem/utils';
import type { Hex } from '../../kernel/ports/chain.ts';
import type { ContractCall } from './token-calls.ts';

const MAGIC = '6492'.repeat(16);
/** Those of wallets with passkeys and a deployment come to about 3 KB. */
const MAX_BYTES = 8192;

export interface ReadSignature {
  /** What the wallet itself is shown. */
  readonly inner: Hex;
  /** How the wallet comes into being, if the signature says so (ERC-6492). */
  readonly deployment: ContractCall | null;
}

/** Null: no signature of any kind. */
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
